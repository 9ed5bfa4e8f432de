# Builds Posthorn with a line that shows how far the build is. Sourced by ./posthorn and ./test, after Scripts/prepare.sh and with
# `here` set to the project's folder; prints only to standard error.

# What the program is built from.
sources=(Package.swift Sources Examples/PushLab)

# Prints a checksum of the names, sizes and dates of the sources of the program.
sources_state() {
    (cd "$here" && find "${sources[@]}" -type f -printf '%p %s %T@\n' | LC_ALL=C sort | cksum)
}

# is_current debug|release: whether the binary was built from the sources as they are.
#
# A build by the scripts leaves the state of the sources in .build/KIND.sources, because SwiftPM does not touch a binary that a change
# leaves as it was. The binary of a later `swift build`, by hand, has to be newer than all sources.
is_current() {
    local binary=$here/.build/$1/posthorn state=$here/.build/$1.sources
    [ -x "$binary" ] && [ ! -e "$here/.build/$1.unfinished" ] || return 1
    if [ -e "$state" ] && [ ! "$binary" -nt "$state" ]; then
        [ "$(cat "$state")" = "$(sources_state)" ]
        return
    fi
    [ -z "$(cd "$here" && find "${sources[@]}" -newer "$binary" -print -quit)" ]
}

# build debug|release ARGUMENT...: runs `swift build` with its output in .build/NAME.log, where NAME is `tests` for the tests and
# the kind otherwise. If it fails, prints the errors and returns its status.
build() {
    local kind=$1 name=$1 flags="$1_flags[@]" begin=$SECONDS status=0 state log temporary took
    shift
    [[ " $* " != *" --build-tests "* ]] || name=tests
    log=$here/.build/$name.log
    mkdir -p "$here/.build"
    state=$(sources_state)
    if [ "$kind" = debug ] && [ -e "$whole_modules" ] && [ -x "$here/.build/debug/posthorn" ] && ! is_current debug; then
        say "this checkout compiles whole modules, which is slow after an edit; for quicker builds from the next one on: rm .build/whole-modules"
    fi
    # A build that fails or is killed may leave half a binary.
    : >"$here/.build/$kind.unfinished"
    : >"$log"
    # The compiler leaves a temporary folder behind for each module.
    temporary=$(mktemp -d "$here/.build/temporary.XXXXXX")
    # Appends, so that a second build at the same time does not overwrite lines.
    TMPDIR=$temporary swift build --package-path "$here" -c "$kind" "${!flags}" "$@" 2>&1 | tee -a "$log" |
        show_progress "$kind" "$name" "${log#"$PWD/"}" || status=${PIPESTATUS[0]}
    rm -rf "$temporary"
    if [ "$status" -ne 0 ]; then
        show_errors "$log"
        say "the build has failed; all of its output: ${log#"$PWD/"}"
        return "$status"
    fi
    printf '%s\n' "$state" >"$here/.build/$kind.sources"
    rm -f "$here/.build/$kind.unfinished"
    took=$((SECONDS - begin))
    say "built in $((took / 60)) min $((took % 60)) s"
}

# Prints the errors of a log, each with the source lines below it, and once only; its last lines if it names none.
show_errors() {
    if grep -q 'error:' "$1"; then
        awk '/^\[[0-9]+\/[0-9]+\]/ { lines = 0 } /error:/ { lines = seen[$0]++ ? 0 : 8 } lines-- > 0' "$1" | head -n 60 >&2
    else
        tail -n 20 "$1" >&2
    fi
}

# Reads the lines of `swift build` and shows the progress: on a terminal as one line, which names the log; otherwise as a plain line at
# the start, at each quarter and at the end.
#
# SwiftPM prints "[12/894] Compiling PushModel JSONReader.swift", and learns of the files of a module only when its turn comes, so that
# 894 grows to several times as much. The plan of the build is therefore read from SwiftPM's manifest (`build_plan`).
show_progress() {
    local kind=$1 name=$2 log=$3 line rest='' module='' what='preparing' percent=0 left='' quarter=25
    local total=0 finished=0 known=0 compiling=$SECONDS last='' columns=80 text weight count
    # What is left of each module and of the sources in C (c) and C++ (cc): their files and their weight.
    local -A files=() weights=() modules=()
    [ ! -t 2 ] || columns=$(stty size <&2 2>/dev/null | cut -d' ' -f2)
    [ "${columns:-0}" -gt 0 ] || columns=80
    [ -t 2 ] || say "building ($name); log: $log"
    while true; do
        # The line is drawn again now and then even if a step takes long.
        if IFS= read -r -t 2 line; then
            line=$rest$line rest=''
        else
            # The status of a timeout is greater than 128.
            [ $? -gt 128 ] || break
            rest=$rest$line line=''
        fi
        case $line in
            "Building for "*)
                compiling=$SECONDS what=compiling
                while read -r weight count module; do
                    total=$((total + weight))
                    weights[$module]=$((${weights[$module]:-0} + weight))
                    files[$module]=$((${files[$module]:-0} + count))
                done < <(build_plan "$here/.build/$kind.yaml" "$name" "$kind")
                known=$total module=''
                ;;
            "Fetching "*) module=${line##*/} module=${module%% *} what="fetching ${module%.git}" ;;
            "Another instance of SwiftPM"*) what="waiting for another build" ;;
        esac
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ ([A-Z][a-z]+)\ (.*) ]] && [ "$what" = compiling ]; then
            local step=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]} verb=${BASH_REMATCH[3]} object=${BASH_REMATCH[4]}
            weight=0
            case $verb:$object in
                Compiling:*.swift | Emitting:module*)
                    [ "$verb" = Emitting ] && module=${object#module } || module=${object%% *}
                    modules[$module]=1
                    # A release build compiles a module as a whole, a debug build may do it file by file.
                    if [ "$kind" = release ] || [ -e "$whole_modules" ]; then
                        take_whole "$module"
                    elif [ "$verb" = Compiling ]; then
                        take_file "$module"
                    fi
                    ;;
                # The last step of a module. Some of the lines before are left out, because SwiftPM prints only so many a second.
                Wrapping:AST*) module=${object#AST for } module=${module%% *}; take_whole "$module" ;;
                Compiling:*.cc | Compiling:*.cpp) take_file cc; module=${object##*[ /]} modules[C]=1 ;;
                Compiling:*.c) take_file c; module=${object##*[ /]} modules[C]=1 ;;
                Linking:*) module="linking ${object##*/}" ;;
            esac
            finished=$((finished + weight))
            # If everything was compiled before, only SwiftPM knows what is compiled again.
            [ "$known" -gt 0 ] || finished=$step total=$steps
            percent=$((total > 0 ? finished * 100 / total : 0))
            [ "$percent" -lt 100 ] || percent=99
        fi
        if [ "$known" -gt 0 ] && [ "$finished" -gt 0 ] && [ "${#modules[@]}" -gt 1 ]; then
            left=", $(time_left $((SECONDS - compiling)) "$finished" "$total")"
        fi
        if [ -t 2 ]; then
            if [ "$what" = compiling ]; then text="posthorn: building $percent %${module:+, $module}$left"; else text="posthorn: $what"; fi
            text="$text; log $log"
            [ "$text" = "$last" ] || printf '\r\033[K%s' "${text:0:columns-1}" >&2
            last=$text
        elif [ "$percent" -ge "$quarter" ]; then
            say "building, $percent %$left"
            quarter=$((percent / 25 * 25 + 25))
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# take_file KEY, take_whole KEY: set `weight` to that of one file, or of all that is left, and take it from what `show_progress` has left.
take_file() {
    weight=0
    [ "${files[$1]:-0}" -gt 0 ] || return 0
    weight=$((weights[$1] / files[$1]))
    files[$1]=$((files[$1] - 1))
    weights[$1]=$((weights[$1] - weight))
}
take_whole() {
    weight=${weights[$1]:-0}
    files[$1]=0
    weights[$1]=0
}

# time_left SECONDS FINISHED TOTAL: prints how long the rest takes at the speed so far.
time_left() {
    local left=$(($1 * ($3 - $2) / $2))
    if [ "$left" -lt 60 ]; then echo "less than a minute left"; else echo "about $(((left + 30) / 60)) min left"; fi
}

# build_plan MANIFEST NAME KIND: prints the costs of what is missing for the program or the tests, as "WEIGHT FILES MODULE" for the Swift
# files of a module, and "WEIGHT 1 c" or "WEIGHT 1 cc" for a source in C or C++.
#
# A weight is in hundredths of a second of CPU time: that of the module in the table of costs in CONTRIBUTING.md, or that of an average file.
build_plan() {
    [ -f "$1" ] || return 0
    awk -v root="$([ "$2" = tests ] && echo test || echo posthorn)" -v table="$here/CONTRIBUTING.md" -v kind="$3" '
        function list(text) { sub(/^[^[]*\[/, "", text); sub(/\]$/, "", text); return text }
        function weight(name, files, usual) { return int(name in seconds ? seconds[name] * 100 / sources[name] * files : usual * files) }
        function visit(node,    key, parts, count, i, first, line) {
            key = owner[node]
            if (key == "" || key in visited) return
            visited[key] = 1
            first = outputs[key]; sub(/",".*/, "", first); gsub(/"/, "", first)
            if (key in units && (getline line < first) < 0) {
                if (language[key] == "swift") print weight(module[key], units[key], usual), units[key], module[key]
                else print weight(module[key], 1, language[key] == "cc" ? 2 * usual : usual), 1, language[key]
            } else if (key in units) close(first)
            count = split(inputs[key], parts, ",")
            for (i = 1; i <= count; i++) visit(parts[i])
        }
        function compiles(name, files, tongue) { module[key] = name; units[key] = files; language[key] = tongue; sources[name] += files }
        BEGIN {
            usual = kind == "release" ? 40 : 14
            while ((getline line < table) > 0) {
                if (split(line, cells, "|") != 5) continue
                split(cells[2], words, " "); cost = cells[kind == "release" ? 4 : 3]; gsub(/[ ,]/, "", cost)
                if (cost + 0 > 0) seconds[words[1]] = cost + 0
            }
        }
        /^[a-z]/ { section = $1 }
        section == "targets:" && ($0 ~ "^  \"" root "-[^\"]*[.]exe\":" || $0 ~ "^  \"" root "\":") { roots = roots "," list($0) }
        section != "commands:" { next }
        /^  "/ { key = $0 }
        /^    inputs: / { inputs[key] = list($0) }
        /^    outputs: / { outputs[key] = list($0); count = split(outputs[key], parts, ","); for (i = 1; i <= count; i++) owner[parts[i]] = key }
        /^    description: "Compiling Swift Module / { split($0, words, "\047"); sub(/.*\(/, ""); compiles(words[2], $1, "swift") }
        /^    description: "Compiling .*[.](cc|cpp)"/ { compiles($3, 1, "cc") }
        /^    description: "Compiling .*[.]c"/ { compiles($3, 1, "c") }
        END { count = split(roots, parts, ","); for (i = 1; i <= count; i++) visit(parts[i]) }
    ' "$1"
}
