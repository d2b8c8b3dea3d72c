import { maskSecrets } from '../../redaction/secrets'

/** A longer rule is not read to its end before it is written. UTF-16 units. */
const MOST_RULE = 240
/** The heading below which rules are put. */
export const PIN_HEADING = '## Pinned rules'

/**
 * What a reader cannot see, or that turns what is seen around: control and format characters, separators of lines,
 * variation selectors, blank letters. A text with one of them could hold what the reader did not agree to.
 */
const UNSEEN = /[\p{C}\p{DI}\p{Zl}\p{Zp}]/u
/** What runtimes or readers of Markdown take for something else than words: files to include, comments, blocks of code. */
const NO_WORDS = /(?:^|[\s("'])@[\w~./\\]|<!--|-->|`{3}|~{3}/

/** A rule as the line that would be written; or why it is not taken, a sentence. */
export type PinLine =
  | { readonly can: true; readonly line: string }
  | { readonly can: false; readonly why: string }

/** The line that a rule would be in a file of instructions. The rule comes from a transcript: whatever is odd is refused. */
export function pinLine(rule: string): PinLine {
  const text = rule.replace(/[\t ]+/g, ' ').trim()
  if (text === '') return no('it is empty')
  if (UNSEEN.test(text)) return no('it holds characters that cannot be seen, or more than one line')
  if (text.length > MOST_RULE) return no(`it is longer than ${MOST_RULE} characters`)
  if (NO_WORDS.test(text)) return no('it names a file to include, or holds marks that are more than words')
  if (maskSecrets(text) !== text) return no('it holds a credential')
  return { can: true, line: `- ${text}` }
}

function no(why: string): PinLine {
  return { can: false, why: `One rule is not offered: ${why}. Write it yourself where it is right.` }
}

/** A file of instructions with a line more; or why it is not written, a sentence. */
export type PinnedText =
  | { readonly can: true; readonly text: string }
  | { readonly can: false; readonly why: string }

/** Puts a line below the heading of pinned rules, which is made at the end where there is none. Every other byte stays. */
export function pinnedText(before: string, line: string): PinnedText {
  const end = before.includes('\r\n') ? '\r\n' : '\n'
  const lines = before.split(end)
  if (lines.includes(line)) return { can: false, why: 'The file holds that line already.' }
  if (lines.filter((one) => /^\s*(?:`{3}|~{3})/.test(one)).length % 2 === 1)
    return { can: false, why: 'The file ends within a block of code; close it first.' }
  const heading = lines.indexOf(PIN_HEADING)
  if (heading < 0) {
    const isEnded = before === '' || before.endsWith(end)
    const gap = before === '' ? '' : isEnded ? end : end + end
    return { can: true, text: `${before}${gap}${[PIN_HEADING, '', line, ''].join(end)}` }
  }
  let at = heading + 1
  for (let i = at; i < lines.length && /^(?:- |\s*$)/.test(lines[i] ?? ''); i++)
    if (lines[i]?.startsWith('- ')) at = i + 1
  // Behind the last one, or below the heading and its empty line.
  if (at === heading + 1 && lines[at] === '' && at < lines.length - 1) at += 1
  const ended = at >= lines.length ? [...lines, line, ''] : [...lines.slice(0, at), line, ...lines.slice(at)]
  return { can: true, text: ended.join(end) }
}
