#!/usr/bin/env bash
# Everything that must hold, in one command.
#
#   tests/run.sh           what every change must pass
#   tests/run.sh --long    and what takes longer: soak, fuzzing, larger models, mutations
#
# It ends non-zero if anything failed. What it leaves out it says, with the reason, where it happens and at the end.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
exec </dev/null

long=no
case "${1:-}" in
    "") ;;
    --long) long=yes ;;
    *) echo "unknown: $1; usage: tests/run.sh [--long]" >&2; exit 2 ;;
esac

root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
logs=$target/run
cases=$root/../shared/cases
libraries=(-p breaker-core -p breaker-macros -p breaker)
rm -rf "$logs"
mkdir -p "$logs"

# ---- the steps

lock_file() { cargo fetch --locked; }
formatting() { cargo fmt --all --check; }
lints_all() { cargo clippy --workspace --all-targets --all-features -- -D warnings; }
lints_none() { cargo clippy "${libraries[@]}" --all-targets --no-default-features -- -D warnings; }
tests_all() { cargo test --workspace --all-features --lib --bins --tests --no-fail-fast; }
tests_none() { cargo test "${libraries[@]}" --no-default-features --lib --no-fail-fast; }
doc_tests_all() { cargo test --workspace --all-features --doc --no-fail-fast; }
doc_tests_none() { cargo test "${libraries[@]}" --no-default-features --doc --no-fail-fast; }
documentation() { RUSTDOCFLAGS="-D warnings" cargo doc "${libraries[@]}" --all-features --no-deps; }
one_example() { timeout 120 cargo run --example "$1"; }
case_files() { python3 "$cases/run.py" --project "$root" --work "$target/cases"; }

# The model checker needs its own cfg, and so its own folder; its models need speed, not the last of it.
loom() {
    RUSTFLAGS="--cfg breaker_loom" CARGO_TARGET_DIR="$target/loom" \
        CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo test --release -p tests --test loom --no-fail-fast -- "$@"
}
larger_loom() { loom --ignored; }

# What takes longer.
soak() { SOAK_CALLS=${SOAK_CALLS:-20000000} cargo test --release -p tests --test soak --no-fail-fast -- --include-ignored --nocapture; }

# libFuzzer asks for flags that a stable compiler takes with RUSTC_BOOTSTRAP only; a corpus is kept between runs, below
# the target folder, and begins with the seeds.
one_fuzz() {
    mkdir -p "$target/fuzz/corpus/$1"
    RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$target/fuzz" cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none "$1" \
        "$target/fuzz/corpus/$1" "tests/fuzz/seeds/$1" -- -dict=tests/fuzz/words.dict -max_total_time="${FUZZ_SECONDS:-300}"
}

# A surviving mutant is a line that no test holds: its name is printed, and the step fails. One that loops for ever is
# noticed, and so is caught. First come the tests beside the code, which build in seconds; then, on what those let live,
# the tests through the public interface as well. Some three hours on one processor. What is left out, and why:
# .cargo/mutants.toml.
mutants() {
    local out=$target/mutants code=0 caught=0 unviable=0 timeouts=0
    local found=$out/mutants.out
    rm -rf "$found"
    mkdir -p "$out"
    mutation_phase 20 -- --lib || code=$?
    case $code in 0 | 2 | 3) ;; *) return "$code" ;; esac
    count_mutants
    cat "$found/timeout.txt" >>"$found/caught.txt"
    code=0
    # Its baseline would look in breaker-core for tests of the other package, which the steps before have run.
    mutation_phase 90 --baseline skip --iterate --test-package breaker-core --test-package tests \
        -- --lib --test it --test engine --test model || code=$?
    case $code in 0 | 2 | 3) ;; *) return "$code" ;; esac
    count_mutants
    printf 'mutants: %d caught, %d loop for ever, %d do not build, %d live on\n' \
        "$caught" "$timeouts" "$unviable" "$(wc -l <"$found/missed.txt")"
    cat "$found/missed.txt"
    [ ! -s "$found/missed.txt" ]
}

# mutation_phase SECONDS ARGUMENTS...: tests of one mutant may take so long. One folder for all that is built, and
# fewer lives of the model, since there is one run of it for each mutant.
mutation_phase() {
    local seconds=$1
    shift
    CARGO_TARGET_DIR=$out/build CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0 BREAKER_MODEL_CASES=1000 \
        cargo mutants -p breaker-core --all-features --jobs 1 --timeout "$seconds" --build-timeout 300 \
        --caught --unviable --colors never --output "$out" "$@"
}

# Adds up what one phase came to.
count_mutants() {
    caught=$((caught + $(wc -l <"$found/caught.txt")))
    timeouts=$((timeouts + $(wc -l <"$found/timeout.txt")))
    unviable=$((unviable + $(wc -l <"$found/unviable.txt")))
}

# Instructions of the three hot paths, each with a bound: no timing, so that a busy machine says the same.
instructions() { cargo run --release -p benches --bin instructions; }

# tool COMMAND: a cargo command, built below the target folder where it is missing.
tool() {
    cargo "$1" --version >/dev/null 2>&1 && return
    echo "cargo-$1 is missing; building it in $target/tools"
    cargo install --quiet --locked --root "$target/tools" --target-dir "$target/tools/build" "cargo-$1"
}

# ---- running them

if [ -t 1 ]; then red=$'\e[1;31m' green=$'\e[1;32m' yellow=$'\e[1;33m' bold=$'\e[1m' plain=$'\e[0m'
else red='' green='' yellow='' bold='' plain=''; fi

planned=() rows=() skipped=() broken=()
passed=0 failed=0 number=0

# plan NAME COMMAND...: to be run, in this order.
plan() { planned+=("$(printf '%q ' "$@")"); }

skip() {
    skipped+=("$1: $2")
    printf '%sSKIPPED%s %s: %s\n' "$yellow" "$plain" "$1" "$2"
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# step NAME COMMAND...: a step that runs no tests counts as one.
step() {
    local name=$1 began=$SECONDS log code good bad left result took
    shift
    number=$((number + 1))
    log=$(printf '%s/%02d.log' "$logs" "$number")
    printf '\n%s[%d/%d] %s %s%s\n' "$bold" "$number" "${#planned[@]}" "$(clock "$SECONDS")" "$name" "$plain"
    "$@" 2>&1 | tee "$log"
    code=${PIPESTATUS[0]}
    good=$(counted passed "$log") bad=$(counted failed "$log") left=$(ignored_names "$log" | wc -w)
    if [ "$code" -eq 0 ] && [ $((good + bad + left)) -eq 0 ]; then
        if grep '^test result: ' "$log" >/dev/null; then skip "$name" "it ran, and held no test"; else good=1; fi
    fi
    # It failed before it could count: it did not build, or was killed.
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    result="${green}ok${plain}"
    if [ "$bad" -gt 0 ]; then
        result="${red}FAILED${plain}"
        broken+=("$name, see $log" "$(sed -nE 's/^test (.*) \.\.\. FAILED$/    \1/p' "$log")")
    fi
    [ "$left" -eq 0 ] || skip "$name" "$left ignored tests:$(ignored_names "$log")"
    passed=$((passed + good)) failed=$((failed + bad))
    took=$(clock $((SECONDS - began)))
    rows+=("$(printf '%7s  %6d passed  %4d failed   %s  %s' "$took" "$good" "$bad" "$result" "$name")")
    printf '%s after %s\n' "$result" "$took"
}

counted() {
    awk -v what="$1" '
        /^test result: / || /^[0-9]+ passed, [0-9]+ failed$/ {
            gsub(/[.;,]/, " ")
            for (i = 2; i <= NF; i++) if ($i == what) n += $(i - 1)
        }
        END { print n + 0 }
    ' "$2"
}

# Without those that another test starts in a process of their own: they did run.
ignored_names() {
    grep -v 'ignored, needs a process of its own' "$1" |
        sed -nE 's/^test ([^ ]*).* \.\.\. ignored.*/ \1/p' | sort -u | tr -d '\n'
}

has_test() {
    cargo metadata --no-deps --format-version 1 2>/dev/null |
        grep "\"kind\":\[\"test\"\],[^}]*\"name\":\"$1\"" >/dev/null
}

# need COMMAND PACKAGE: from Debian's packages where it is missing.
need() {
    command -v "$1" >/dev/null && return
    echo "$1 is missing; installing $2"
    local sudo=()
    [ "$(id -u)" -eq 0 ] || sudo=(sudo)
    if ! { "${sudo[@]}" apt-get update -qq && "${sudo[@]}" apt-get install -y -qq "$2"; }; then
        echo "$2 could not be installed; install what provides \`$1\`" >&2
        exit 1
    fi
}

# ---- what is needed

if ! command -v cargo >/dev/null; then
    echo "cargo is missing; install Rust 1.95 or later (the library needs 1.88, the benches' peers more)" >&2
    exit 1
fi
need cc build-essential
echo "$(rustc --version), in $root, building in $target"

# ---- what is to be done

plan "lock file is up to date" lock_file
plan "formatting" formatting
plan "lints, all features" lints_all
plan "lints, no features" lints_none
plan "tests, all features" tests_all
plan "tests, no features" tests_none
plan "doc tests, all features" doc_tests_all
plan "doc tests, no features" doc_tests_none
plan "documentation" documentation
while read -r example; do
    plan "example $example" one_example "$example"
done < <(awk -F'"' '/^\[\[example\]\]/ { here = 1 } here && /^name/ { print $2; here = 0 }' examples/Cargo.toml)

has_test ui || skip "ui tests" "the tests package has no target \`ui\`; with one they are part of \`tests, all features\`"

# plan_test TARGET NAME COMMAND: where the tests package has that target.
plan_test() { if has_test "$1"; then plan "$2" "$3"; else skip "$2" "the tests package has no target \`$1\`"; fi; }

plan_test loom "models" loom
if [ -f "$cases/run.py" ]; then
    need python3 python3
    plan "shared cases" case_files
else
    skip "shared cases" "there is no folder ../shared/cases beside this clone; the tests package has its own"
fi

if [ "$long" = yes ]; then
    plan_test loom "larger models" larger_loom
    plan_test soak "soak" soak
    need valgrind valgrind
    plan "instructions of the hot paths" instructions
    PATH=$target/tools/bin:$PATH
    if tool fuzz; then
        for fuzzed in breakers guard classify; do plan "fuzzing $fuzzed" one_fuzz "$fuzzed"; done
    else
        skip "fuzzing" "cargo-fuzz could not be built"
    fi
    if tool mutants; then
        plan "mutations" mutants
    else
        skip "mutations" "cargo-mutants could not be built"
    fi
fi

for planned_step in "${planned[@]}"; do eval "step $planned_step"; done

# ---- what came of it

printf '\n%sRules%s   tests that carry the number, and what they came to\n' "$bold" "$plain"
awk -f tests/rules.awk "$logs"/*.log | tee "$logs/rules.txt"
without=$(awk '/no test$/ { printf " %s", $1 }' "$logs/rules.txt")
[ -z "$without" ] || skipped+=("rules: no test carries$without")

printf '\n%sSteps%s   in %s\n' "$bold" "$plain" "$(clock "$SECONDS")"
printf '%s\n' "${rows[@]}"
if [ "${#skipped[@]}" -gt 0 ]; then
    printf '\n%sSkipped%s\n' "$yellow" "$plain"
    printf '  %s\n' "${skipped[@]}"
fi
if [ "${#broken[@]}" -gt 0 ]; then
    printf '\n%sFailed%s\n' "$red" "$plain"
    printf '  %s\n' "${broken[@]}" | sed '/^ *$/d'
fi
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
