import { normalWordsOf } from './normal-words'

/**
 * Groups of English words that people use for one another when they talk about work with computers and texts. A word
 * may be in several groups. General on purpose: what one project calls by another name is not for this list.
 */
const GROUPS = `error failure exception crash fault, bug defect issue problem trouble, fix repair solve resolve correct
  patch, delete remove erase drop discard, create make add generate build, change modify edit update alter
  adjust, rename renaming, folder directory dir, file document doc, picture image photo screenshot img,
  setting config option preference configuration parameter, run execute launch start invoke, stop halt quit
  exit terminate end abort, show display render print, hide conceal invisible, find locate search lookup,
  test check verify validate, fast quick rapid speed performance, slow sluggish delay lag latency, big large
  huge, small tiny little minimal, install setup, dependency package library module, function method routine
  procedure, argument parameter param arg, variable var, database db, user person customer, password
  credential secret, login signin auth authentication, permission access right privilege allowed, colour
  color, size dimension, width wide, height tall high, button control, keyboard key shortcut hotkey
  keybinding, menu dropdown, window dialog modal popup, list array, number count amount quantity total,
  maximum max most limit upper, minimum min least lower, average mean, cost price expense fee, money dollar
  usd budget, time duration, date day, reason cause why, explain describe, summary overview recap, message
  text, reply answer response, request query call, send submit post, receive get fetch retrieve obtain, save
  store persist write, load read open, copy duplicate clone, move shift relocate, merge combine join unite,
  split divide separate, compare diff difference, version release, branch fork, commit revision, server
  backend host, client frontend, page screen view, site website web, link url address, sound audio, movie
  video film, new latest recent, missing absent lacking, wrong incorrect invalid bad, right correct valid,
  empty blank null, allow permit enable, forbid deny refuse reject disallow block, disable deactivate,
  warning caution alert, log trace, type kind sort, example sample, task job todo, plan roadmap, note remark
  comment, author writer, repository repo, environment env, command cmd, character char, string text,
  integer int, boolean bool, temporary temp tmp, reference ref, information info, application app,
  administrator admin, development dev, production prod, cut truncate shorten clip crop trim, mandatory
  required compulsory obligatory necessary, shade tint hue colour, bright vivid vibrant glaring, dark dim,
  blank whitespace space, done complete finish ready, broken invalid corrupt damaged, similar alike same,
  goal aim objective target, chat conversation, unclear ambiguous, outdated obsolete deprecated legacy old,
  collapse fold, expand unfold, border edge frame outline, separator divider, wait delay pause, retry
  attempt, sound audio noise, symbol icon glyph, label caption title heading, draw plot paint render, chart
  graph plot diagram, share percent percentage ratio proportion, part section piece segment, whole entire
  full, several multiple, single individual, inside within inner nested, outside external outer, deadline
  due expire late overdue, limit cap bound threshold, rank order priority prioritize, schedule timetable,
  guarantee promise, thread process worker, memory ram, disk storage drive, network connection, upload push,
  download pull fetch, encrypt cipher, package crate gem, scaffold bootstrap initialize, persist persistence
  storage store, guide manual handbook tutorial documentation docs, property prop attribute field, callback
  handler listener hook, key identifier id, constant const literal, parent ancestor, child children
  descendant, round rounded, nested embedded, enable activate, trigger fire, skip ignore omit, stage phase
  step, proof evidence, secure safe, crash die abort, hang freeze block stuck, duplicate repeated twice`

/** Made when it is first asked for: it takes longer than all else that an import does. */
let known: ReadonlyMap<string, readonly string[]> | null = null

/** Words that are used for one, in normal form like the word itself; empty for most. */
export function relatedTo(word: string): readonly string[] {
  known ??= relatedIn(GROUPS)
  return known.get(word) ?? []
}

/** For each word of some groups, parted by commas, the others of its groups; all in normal form. */
export function relatedIn(groups: string): Map<string, readonly string[]> {
  const related = new Map<string, readonly string[]>()
  for (const group of groups.split(',')) {
    const words = [...new Set(normalWordsOf(group))]
    for (const word of words) {
      const others = words.filter((other) => other !== word)
      related.set(word, [...new Set([...(related.get(word) ?? []), ...others])])
    }
  }
  return related
}
