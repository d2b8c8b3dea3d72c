import { withoutOwnNote } from './own-notes'
import type { SourceMessage } from './source-message'

/** What OpenClaw's safeguard demands of a summary, in this order (lib/docs/openclaw.md#summaries). */
export const REQUIRED_HEADINGS = [
  '## Decisions',
  '## Open TODOs',
  '## Constraints/Rules',
  '## Pending user asks',
  '## Exact identifiers',
] as const

/** Identifiers are taken from so many messages at the end, and at most so many of them. */
const AUDITED_MESSAGES = 10
const AUDITED_IDENTIFIERS = 12
/** Of the newest ask, so many keywords count, and two of them must come back when there are three or more. */
const ASK_KEYWORDS = 12

type AuditCode =
  | 'missing_section'
  | 'duplicate_section'
  | 'missing_identifiers'
  | 'latest_user_ask_not_reflected'

export type AuditFinding = { readonly code: AuditCode; readonly detail: string }

/** `strict`: identifiers must be in the summary literally; `off`: they are not asked for. */
export type IdentifierPolicy = 'strict' | 'off'

/**
 * Checks a summary by the rules of OpenClaw's safeguard: headings present once and in order, identifiers of the
 * last messages kept literally, the newest request reflected. No findings: it passes.
 */
export function auditSummary(
  summary: string,
  messages: readonly SourceMessage[],
  identifiers: IdentifierPolicy = 'strict',
): AuditFinding[] {
  const findings = headingFindings(summary)
  if (identifiers === 'strict') {
    const missing = auditedIdentifiers(messages).filter((one) => !holds(summary, one))
    if (missing.length > 0) findings.push({ code: 'missing_identifiers', detail: missing.join(', ') })
  }
  const ask = latestAsk(messages)
  if (ask !== null && !reflects(summary, ask))
    findings.push({ code: 'latest_user_ask_not_reflected', detail: ask.slice(0, 120) })
  return findings
}

function headingFindings(summary: string): AuditFinding[] {
  const lines = summary.split('\n').map((line) => line.trimEnd())
  const findings: AuditFinding[] = []
  let after = -1
  for (const heading of REQUIRED_HEADINGS) {
    const at = lines.indexOf(heading, after + 1)
    if (at < 0) findings.push({ code: 'missing_section', detail: heading })
    else after = at
    if (lines.indexOf(heading) !== lines.lastIndexOf(heading))
      findings.push({ code: 'duplicate_section', detail: heading })
  }
  return findings
}

/**
 * Addresses, absolute paths, `host:port`, hexadecimal ids and ids with six digits or more, of the last messages, newest
 * first.
 */
export function auditedIdentifiers(messages: readonly SourceMessage[]): string[] {
  const found = new Set<string>()
  for (const message of messages.slice(-AUDITED_MESSAGES).toReversed()) {
    for (const [word] of message.text.slice(0, AUDITED_CHARS).matchAll(WORDS)) {
      if (!HAS_MARK.test(word)) continue
      const clean = word.replace(TRAILING, '')
      if (clean.length <= MAX_IDENTIFIER && isAudited(clean)) found.add(clean)
      if (found.size === AUDITED_IDENTIFIERS) return [...found]
    }
  }
  return [...found]
}

const AUDITED_CHARS = 100_000
const MAX_IDENTIFIER = 200
const WORDS = /[^\s"'`<>()[\]{},;|*]+/g
const TRAILING = /[.:!?]+$/
/** No identifier is without a digit or a slash; most words are. */
const HAS_MARK = /[\d/]/

function isAudited(word: string): boolean {
  if (/^https?:\/\/\S/.test(word)) return true
  if (/^\/[\w.@~-]+(\/[\w.@~-]+)+\/?$/.test(word)) return true
  if (/^[A-Za-z][\w.-]*:\d{2,5}$/.test(word)) return true
  if (/^(0x)?[0-9a-f]{8,}$/i.test(word) && /\d/.test(word)) return true
  return /^[\w-]+$/.test(word) && /\d/.test(word) && (word.match(/\d/g) ?? []).length >= 6
}

function holds(summary: string, identifier: string): boolean {
  if (summary.includes(identifier)) return true
  return /^(0x)?[0-9a-f]+$/i.test(identifier) && summary.toLowerCase().includes(identifier.toLowerCase())
}

/** The text of the newest message of the user; null when there is none with words in it. */
function latestAsk(messages: readonly SourceMessage[]): string | null {
  return (
    messages.findLast((message) => withoutOwnNote(message).role === 'user' && message.text.trim() !== '')
      ?.text ?? null
  )
}

function reflects(summary: string, ask: string): boolean {
  const keywords = keywordsOf(ask).slice(0, ASK_KEYWORDS)
  if (keywords.length === 0) return true
  const present = new Set(keywordsOf(summary))
  const hits = keywords.filter((word) => present.has(word)).length
  return hits >= (keywords.length >= 3 ? 2 : 1)
}

/** Distinct words that carry meaning, in order. */
function keywordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word)))]
}

const STOP_WORDS = new Set(
  'the and for with that this from are was were you your have has had not but can could would should will please what when where which who how why its into than then them they there here about also just any all some more been does did'.split(
    ' ',
  ),
)
