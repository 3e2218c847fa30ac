//! The house stands: the flow is one-way, atomics and clocks have one door each, and files are short.
//!
//! `CONTRIBUTING.md` has the map in words. What is read here are the tokens of the sources, without their tests.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The rooms of `breaker-core`, in the order of the flow: each may know those that come after it.
const FLOW: [&str; 26] = [
    "test_util",
    "audit",
    "breaker",
    "registry",
    "permit",
    "snapshot",
    "stats",
    "identity",
    "event",
    "ticket",
    "machine",
    "recover",
    "error",
    "trips",
    "trip",
    "strategy",
    "outcome",
    "settings",
    "clock",
    "stamp",
    "era",
    "mode",
    "overrides",
    "status",
    "name",
    "sync",
];

/// Rooms that may know less than the flow lets them, and why.
const ONLY: [(&str, &[&str], &str); 4] = [
    ("machine", &["era", "clock", "recover", "stamp", "status", "sync"], "the machine knows nothing of classification"),
    ("recover", &["outcome", "settings", "trip"], "recover is pure: it is told of an opening and gives a plan"),
    ("strategy", &["clock", "era", "outcome", "settings", "stamp", "sync"], "a strategy knows nothing of states"),
    ("outcome", &[], "an outcome is what a call says, whatever the state"),
];

/// Edges that run backwards and are still to be mended.
const BACKWARDS: [(&str, &str); 0] = [];

/// Files that are too long and are still to be split.
const LONG: [&str; 0] = [];

/// The most lines of a file, without docs and tests.
const LINES: usize = 400;

#[test]
fn no_edge_runs_backwards() {
    let sources = sources("breaker-core/src");
    let names = public_names(&sources);
    let mut wrong = Vec::new();
    let mut mended = BACKWARDS.to_vec();
    for source in sources.iter().filter(|source| !source.module.is_empty()) {
        let room = source.module[0].as_str();
        for known in source.rooms(&names) {
            let Some(problem) = problem(room, &known) else { continue };
            mended.retain(|edge| *edge != (room, known.as_str()));
            if !BACKWARDS.contains(&(room, known.as_str())) {
                wrong.push(format!("{} knows `{known}`: {problem}", source.file));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(mended.is_empty(), "mended, and to be struck from BACKWARDS: {mended:?}");
}

/// Why `room` may not know `known`.
fn problem(room: &str, known: &str) -> Option<String> {
    let place = |name| FLOW.iter().position(|room| *room == name);
    let (Some(from), Some(to)) = (place(room), place(known)) else {
        return Some(format!("`{room}` or `{known}` has no place in FLOW; give it one"));
    };
    if let Some((_, allowed, why)) = ONLY.iter().find(|(only, ..)| *only == room)
        && !allowed.contains(&known)
    {
        return Some((*why).to_owned());
    }
    (to < from).then(|| format!("`{known}` comes before `{room}` in the flow; move what is shared further down"))
}

#[test]
fn the_flow_has_a_direction() {
    assert_eq!(problem("breaker", "sync"), None);
    for (room, known) in [("sync", "clock"), ("strategy", "status"), ("machine", "outcome"), ("clock", "cellar")] {
        assert!(problem(room, known).is_some(), "{room} may know {known}");
    }
}

#[test]
fn every_room_has_its_place_in_the_flow() {
    let rooms: BTreeSet<_> =
        sources("breaker-core/src").into_iter().filter_map(|source| source.module.into_iter().next()).collect();
    assert_eq!(rooms, FLOW.into_iter().map(str::to_owned).collect(), "FLOW is on the right");
}

#[test]
fn atomics_have_one_door() {
    only_in(&["breaker-core/src/sync.rs", "breaker-core/src/sync/"], |path| {
        path.iter().any(|part| part == "atomic") || path.first().is_some_and(|part| part == "loom")
    });
}

#[test]
fn clocks_have_one_door() {
    // A `timeout` is tokio's, and so is its clock.
    let doors = ["breaker-core/src/clock.rs", "breaker-core/src/clock/", "breaker/src/timeout.rs"];
    only_in(&doors, |path| {
        path.iter().any(|part| part == "Instant" || part == "SystemTime" || part == "clock_gettime")
    });
}

fn only_in(doors: &[&str], found: impl Fn(&[String]) -> bool) {
    let all = ["breaker-core/src", "breaker/src"].into_iter().flat_map(sources);
    let outside = all.filter(|source| !doors.iter().any(|door| source.file.starts_with(door)));
    let wrong: Vec<_> = outside
        .flat_map(|source| source.paths.into_iter().map(move |(_, path)| (source.file.clone(), path)))
        .filter(|(_, path)| found(path))
        .map(|(file, path)| format!("{file} names `{}`, which belongs to {}", path.join("::"), doors.join(", ")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_short() {
    let folders = ["breaker-core/src", "breaker-macros/src", "breaker/src", "examples"];
    let long: BTreeMap<_, _> = folders
        .into_iter()
        .flat_map(sources)
        .map(|source| (source.file, source.lines))
        .filter(|(_, lines)| *lines > LINES)
        .collect();
    let known = LONG.map(str::to_owned);
    let wrong: Vec<_> = long.iter().filter(|(file, _)| !known.contains(file)).collect();
    assert!(wrong.is_empty(), "past {LINES} lines without docs and tests; split where a sentence ends: {wrong:?}");
    let mended: Vec<_> = known.iter().filter(|file| !long.contains_key(*file)).collect();
    assert!(mended.is_empty(), "split, and to be struck from LONG: {mended:?}");
}

#[test]
fn the_map_names_every_room() {
    let map = include_str!("../CONTRIBUTING.md");
    let missing: Vec<_> = FLOW.into_iter().filter(|room| !map.contains(&format!("`{room}`"))).collect();
    assert!(missing.is_empty(), "CONTRIBUTING.md does not name {missing:?}");
}

/// The reader can fail: it sees what a plain search would miss, and misses what only looks like an edge.
#[test]
fn the_reader_sees_through_trees_and_past_tests() {
    let text = "
        //! crate::comment
        use crate::{a::{self, B}, c};
        use super::d;
        fn f() { crate::e::g(); \"crate::text\"; m!(crate::h); std::sync::Arc::new(self::i::j) }
        mod inner { use super::super::k; use super::own; }
        #[cfg(all(test, not(slow)))]
        mod tests { use crate::l; }
    ";
    let source = Source::read("room.rs".into(), vec!["room".into()], text);
    let rooms: Vec<_> = source.rooms(&BTreeMap::new()).into_iter().collect();
    assert_eq!(rooms, ["a", "c", "d", "e", "h", "k"]);
    assert_eq!(source.lines, 5);
}

/// One file: what it names, and how long it is.
struct Source {
    /// From the root of the workspace.
    file: String,
    /// Its module, from the root of its crate.
    module: Vec<String>,
    /// Every path in it, with the module that it stands in.
    paths: Vec<(Vec<String>, Vec<String>)>,
    /// Its lines, without docs and tests.
    lines: usize,
}

impl Source {
    fn read(file: String, module: Vec<String>, text: &str) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut paths = Vec::new();
        walk(&tokens.into_iter().collect::<Vec<_>>(), &module, &mut paths);
        let all: Vec<_> = text.lines().map(str::trim).collect();
        let tests = all.windows(2).position(|two| is_test_attribute(two[0]) && two[1].starts_with("mod "));
        let lines = all[..tests.unwrap_or(all.len())].iter().filter(|line| !line.starts_with("//")).count();
        Self { file, module, paths, lines }
    }

    /// The rooms that it knows; `names` are those of the crate's root.
    fn rooms(&self, names: &BTreeMap<String, String>) -> BTreeSet<String> {
        let rooms = self.paths.iter().filter_map(|(module, path)| {
            let first = absolute(module, path)?;
            Some(names.get(&first).unwrap_or(&first).clone())
        });
        rooms.filter(|room| Some(room) != self.module.first()).collect()
    }
}

/// What a path begins with at the crate's root, if it begins there.
fn absolute(module: &[String], path: &[String]) -> Option<String> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let at_root = path.first()? == "crate" || (ups > 0 && ups == module.len());
    at_root.then(|| path.get(ups.max(1)).cloned())?
}

/// Every path of the tokens; a tree of `use` is as many paths as it has leaves.
fn walk(tokens: &[TokenTree], module: &[String], paths: &mut Vec<(Vec<String>, Vec<String>)>) {
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Punct(hash) if hash.as_char() == '#' && is_test(tokens.get(at + 1)) => {
                // The item up to its body, or to its semicolon.
                while at < tokens.len() && !ends_item(&tokens[at]) {
                    at += 1;
                }
            }
            TokenTree::Ident(word) if word == "mod" && is_body(tokens.get(at + 2)) => {
                let mut inner = module.to_vec();
                inner.push(tokens[at + 1].to_string());
                at += 2;
                if let TokenTree::Group(body) = &tokens[at] {
                    walk(&body.stream().into_iter().collect::<Vec<_>>(), &inner, paths);
                }
            }
            TokenTree::Ident(_) => {
                at = path(tokens, at, &[], &mut |path| paths.push((module.to_vec(), path)));
                continue;
            }
            TokenTree::Group(group) => walk(&group.stream().into_iter().collect::<Vec<_>>(), module, paths),
            _ => {}
        }
        at += 1;
    }
}

/// Reads the path that begins at `at`, after `prefix`; gives the place after it.
fn path(tokens: &[TokenTree], mut at: usize, prefix: &[String], found: &mut impl FnMut(Vec<String>)) -> usize {
    let mut path = prefix.to_vec();
    while let Some(TokenTree::Ident(part)) = tokens.get(at) {
        path.push(part.to_string());
        at += 1;
        if !(is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))) {
            break;
        }
        at += 2;
        if let Some(TokenTree::Group(tree)) = tokens.get(at)
            && tree.delimiter() == Delimiter::Brace
        {
            let inner: Vec<_> = tree.stream().into_iter().collect();
            let mut leaf = 0;
            while leaf < inner.len() {
                leaf = match &inner[leaf] {
                    TokenTree::Ident(_) => self::path(&inner, leaf, &path, found),
                    _ => leaf + 1,
                };
            }
            return at + 1;
        }
    }
    found(path);
    at
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

fn is_body(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

fn ends_item(token: &TokenTree) -> bool {
    is_body(Some(token)) || matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}

fn is_test(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if is_test_attribute(&format!("#{group}")))
}

fn is_test_attribute(text: &str) -> bool {
    let text = text.replace(' ', "");
    text == "#[cfg(test)]" || text.starts_with("#[cfg(all(test,")
}

/// What `lib.rs` re-exports at the crate's root, each with its room: `Era` is `era`'s.
fn public_names(sources: &[Source]) -> BTreeMap<String, String> {
    let root = sources.iter().find(|source| source.module.is_empty()).expect("a crate has a root");
    let exported = root.paths.iter().filter(|(_, path)| path.len() == 2);
    let named = exported.map(|(_, path)| (path[1].clone(), path[0].clone()));
    // Below the root a module wins over a fn of its name.
    named.filter(|(name, _)| !FLOW.contains(&name.as_str())).collect()
}

/// The sources in `folder`, from the root of the workspace.
fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace");
    let mut files = Vec::new();
    gather(&root.join(folder), &mut files);
    assert!(!files.is_empty(), "{folder} holds no source");
    files.sort();
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let within = file.strip_prefix(root.join(folder)).expect("it was found there").with_extension("");
        let module = within.iter().map(|part| part.to_string_lossy().into_owned());
        let module = module.filter(|part| part != "lib").collect();
        let shown = file.strip_prefix(root).expect("it was found there").to_string_lossy().replace('\\', "/");
        Source::read(shown, module, &text)
    };
    files.into_iter().map(read).collect()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
