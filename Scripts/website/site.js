// Search on every page. The index is two scripts, which are loaded when the field is first used.
"use strict";
(() => {
    const root = document.documentElement.dataset.root;
    const language = document.documentElement.lang;
    const field = document.getElementById("site-search");
    const panel = document.getElementById("site-results");
    const SHOWN = 40;
    const index = { pages: null, symbols: null };
    let isLoading = false;

    window.posthornSearch = (name, entries) => {
        index[name] = entries;
        show();
    };

    function load() {
        if (isLoading) return;
        isLoading = true;
        for (const name of Object.keys(index)) {
            const script = document.createElement("script");
            script.src = `${root}search-${name}.js`;
            document.head.append(script);
        }
    }

    // Words between spaces. Chinese has none: a run of it that is not found as it is fits where most of its pairs of characters are.
    function words(query) {
        return query.toLowerCase().split(/\s+/).filter(Boolean);
    }

    function pairs(word) {
        if (!/^\p{Script=Han}{3,}$/u.test(word)) return null;
        const characters = [...word];
        return characters.slice(1).map((character, at) => characters[at] + character);
    }

    // How well a symbol fits a word; 0 if it does not.
    function symbolScore(entry, word) {
        const title = entry[0].toLowerCase();
        const plain = title.replace(/\(.*/, "");
        if (plain === word || title === word) return 120;
        if (plain.startsWith(word)) return 60;
        if (title.includes(word)) return 30;
        return entry[3].toLowerCase().includes(word) ? 8 : 0;
    }

    function sectionScore(entry, word) {
        const [page, heading, , , text] = entry;
        let score = 0;
        if (heading.toLowerCase().includes(word)) score += 50;
        if (page.toLowerCase().includes(word)) score += 30;
        const count = text.toLowerCase().split(word).length - 1;
        if (count) score += 10 + Math.min(count, 8);
        return score;
    }

    // Every word has to fit.
    function score(entry, wanted, measure) {
        let sum = 0;
        for (const word of wanted) {
            let one = measure(entry, word);
            const parts = one ? null : pairs(word);
            if (parts) {
                const there = parts.filter((part) => measure(entry, part)).length;
                if (there >= parts.length * 0.7) one = 5 * there / parts.length;
            }
            if (!one) return 0;
            sum += one;
        }
        return sum;
    }

    function find(wanted) {
        const found = [];
        for (const entry of index.pages ?? []) {
            const points = score(entry, wanted, sectionScore);
            if (points) found.push({ points: points + (entry[3] === language ? 15 : 0), entry, isSymbol: false });
        }
        for (const entry of index.symbols ?? []) {
            const points = score(entry, wanted, symbolScore);
            if (points) found.push({ points, entry, isSymbol: true });
        }
        // The order of equal ones is that of the index.
        return found.sort((one, other) => other.points - one.points);
    }

    function address(path) {
        const [file, anchor] = path.split(/#(.*)/s);
        return root + file.split("/").map(encodeURIComponent).join("/") + (anchor ? "#" + encodeURIComponent(anchor) : "");
    }

    // Text with the words marked; built from nodes, so that nothing in the index is markup.
    function marked(text, wanted) {
        const part = document.createDocumentFragment();
        const lower = text.toLowerCase();
        let at = 0;
        while (at < text.length) {
            let next = text.length;
            let length = 0;
            for (const word of wanted) {
                const place = lower.indexOf(word, at);
                if (place >= 0 && place < next) [next, length] = [place, word.length];
            }
            part.append(text.slice(at, next));
            if (!length) break;
            const mark = document.createElement("mark");
            mark.textContent = text.slice(next, next + length);
            part.append(mark);
            at = next + length;
        }
        return part;
    }

    function excerpt(text, wanted) {
        const lower = text.toLowerCase();
        const places = wanted.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
        const start = Math.max(0, Math.min(...places, text.length) - 50);
        return (start > 0 && places.length ? "…" : "") + text.slice(places.length ? start : 0, (places.length ? start : 0) + 160);
    }

    function line({ entry, isSymbol }, wanted) {
        const item = document.createElement("li");
        const link = document.createElement("a");
        const below = document.createElement("small");
        link.href = address(entry[2]);
        if (isSymbol) {
            const code = document.createElement("code");
            code.append(marked(entry[0], wanted));
            link.append(code);
            below.textContent = [entry[1], entry[3]].filter(Boolean).join(" · ");
        } else {
            link.lang = entry[3];
            link.append(marked(entry[0] === entry[1] ? entry[0] : `${entry[0]} › ${entry[1]}`, wanted));
            below.append(marked(excerpt(entry[4], wanted), wanted));
        }
        link.append(below);
        item.append(link);
        return item;
    }

    function show() {
        const wanted = words(field.value);
        if (!wanted.length) {
            panel.hidden = true;
            return;
        }
        if (!index.pages || !index.symbols) return;
        const found = find(wanted);
        const count = document.createElement("p");
        count.setAttribute("role", "status");
        count.textContent = found.length ? `${found.length} ${panel.dataset.some}` : panel.dataset.none;
        const list = document.createElement("ul");
        list.append(...found.slice(0, SHOWN).map((one) => line(one, wanted)));
        panel.replaceChildren(count, list);
        panel.hidden = false;
    }

    function move(by) {
        const links = [field, ...panel.querySelectorAll("a")];
        const at = links.indexOf(document.activeElement);
        links[Math.min(links.length - 1, Math.max(0, at + by))].focus();
    }

    field.addEventListener("focus", load);
    field.addEventListener("input", show);
    field.addEventListener("focus", show);
    document.addEventListener("keydown", (event) => {
        const isInside = field.contains(event.target) || panel.contains(event.target);
        if (event.key === "/" && !isInside && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            field.focus();
        } else if (isInside && event.key === "Escape") {
            panel.hidden = true;
            field.focus();
        } else if (isInside && !panel.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
            event.preventDefault();
            move(event.key === "ArrowDown" ? 1 : -1);
        } else if (event.target === field && event.key === "Enter") {
            panel.querySelector("a")?.click();
        }
    });
    document.addEventListener("click", (event) => {
        if (!event.target.closest("search") || event.target.closest("#site-results a")) panel.hidden = true;
    });
})();
