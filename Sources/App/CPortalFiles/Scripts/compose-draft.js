// The push that is being composed: the one source of what the form, the JSON and the preview show.

/** A push object, whose views are told of each change. */
export class Draft {
  #views = [];

  constructor(push) {
    this.push = push;
  }

  /** Calls `view(push, origin, isNew)` now and after each change; `origin` is the view that made it, `isNew` whether it is another push. */
  show(view) {
    this.#views.push(view);
    view(this.push, null, true);
  }

  /** Changes the push in place. */
  change(body, origin = null) {
    body(this.push);
    this.#tell(origin, false);
  }

  replace(push, origin = null) {
    this.push = push;
    this.#tell(origin, true);
  }

  #tell(origin, isNew) {
    for (const view of this.#views) view(this.push, origin, isNew);
  }
}
