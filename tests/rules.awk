# Reads cargo's test output; prints, for R1 to R40, how many tests carry the rule's number and what they came to.
# A test carries the numbers that its own name begins with: `eras::r08_a_late_success_changes_nothing`.
# A test that ran with several sets of features counts once, and is ok only if it was ok each time.

# "     Running unittests src/lib.rs (target/debug/deps/breaker_core-0f1e2d)": two programs may share a test's name.
/^ +(Running|Doc-tests) / {
    program = $NF
    gsub(/^.*\/|-[0-9a-f]+\)$|\)$/, "", program)
}

/^test .* \.\.\. / {
    line = $0
    sub(/^test /, "", line)
    result = line
    sub(/^.* \.\.\. /, "", result)
    sub(/ \.\.\. .*$/, "", line)
    name = line
    sub(/ - should panic$/, "", name)
    gsub(/^.*(::|\/)/, "", name)
    while (match(name, /^r[0-9][0-9]_/)) {
        rule = substr(name, 2, 2) + 0
        name = substr(name, RLENGTH + 1)
        key = rule SUBSEP program SUBSEP line
        if (!(key in seen)) {
            seen[key] = 1
            tests[rule]++
        }
        if (result ~ /^ignored/) ignored[rule]++
        else if (result !~ /^ok/) failed[rule]++
    }
}

END {
    for (rule = 1; rule <= 40; rule++) {
        if (!tests[rule]) verdict = "no test"
        else if (failed[rule]) verdict = "FAILED"
        else if (ignored[rule]) verdict = "ok, " ignored[rule] " ignored"
        else verdict = "ok"
        printf "  R%-4d %6d   %s\n", rule, tests[rule], verdict
    }
}
