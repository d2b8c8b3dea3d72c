import { COVER } from '../redaction/credential-range'
import { auditedIdentifiers, REQUIRED_HEADINGS } from './audit'
import { coveredMessage } from './covered-message'
import { Budget } from './digest-budget'
import { errorLines, fileLines, identifierLines, locatorLines } from './digest-facts'
import { askLines, constraintLines, decisionLines, goalLines, todoLines } from './digest-prose'
import { rankSpans } from './identifier-ranking'
import { withoutOwnNote } from './own-notes'
import type { SourceMessage } from './source-message'
import { eachInSteps, finish, type Steps } from './steps'

export type DigestOptions = {
  /** Tokens that the digest may take; see `digestBudget`. */
  readonly budget: number
  readonly sizeOf: (text: string) => number
  /** A summary that is before these messages and that no archive is left of; carried on in part. */
  readonly previous?: string
  /** What the operator wants kept above all. */
  readonly focus?: string
  /** How rare a span is over all sessions, 0 … 1. */
  readonly rarity?: (text: string) => number
  /** Covers what must not be passed on, such as credentials, before anything is taken out of the messages. */
  readonly mask?: (text: string) => string
  /** Spans that must not be shown. */
  readonly isSecret?: (text: string) => boolean
}

/** What a digest says about itself: it is the first line of each. */
export const DIGEST_MARK = 'Digest made without a model, from the messages themselves.'

const [MIN_BUDGET, MAX_BUDGET, SHARE_OF_DROPPED] = [256, 2000, 0.1]

/** Default size of a digest: a tenth of what it replaces, within bounds (lib/docs/relevance.md#digest). In tokens. */
export function digestBudget(dropped: number): number {
  return Math.round(Math.min(MAX_BUDGET, Math.max(MIN_BUDGET, dropped * SHARE_OF_DROPPED)))
}

/**
 * Shares of the budget by section, after lib/docs/relevance.md#digest; what one leaves over goes to the identifiers,
 * filled last.
 */
export const DIGEST_SHARES = {
  asks: 0.15,
  constraints: 0.1,
  decisions: 0.15,
  todos: 0.05,
  files: 0.2,
  errors: 0.1,
  recovery: 0.08,
} as const

/**
 * A summary of messages that needs no model: deterministic, in the form that OpenClaw's safeguard demands, and made of
 * the messages' own words. The newest request and the identifiers that are audited are in it whatever the budget; all
 * else fills the budget in the order of its worth.
 */
export function digest(messages: readonly SourceMessage[], options: DigestOptions): string {
  return finish(digestInSteps(messages, options))
}

/** The same with pauses: of a long session it takes about a second. */
export function* digestInSteps(
  whole: readonly SourceMessage[],
  { mask, ...given }: DigestOptions,
): Steps<string> {
  const read = whole.map(withoutOwnNote)
  const messages = mask === undefined ? read : yield* coveredInSteps(read, mask)
  const options = mask === undefined ? given : { ...given, ...maskedAll(given, mask) }
  const { sizeOf } = options
  const isSecret = (text: string) => text.includes(COVER) || (options.isSecret?.(text) ?? false)
  const budget = new Budget(options.budget, sizeOf)
  const audited = auditedIdentifiers(messages).filter((text) => !isSecret(text))
  const mustAsk = askLines(messages)
  budget.spend(FRAME)
  budget.spend([...mustAsk.slice(0, 1), ...audited])
  const fill = (share: number, lines: Iterable<string>) => budget.take(share * options.budget, lines)

  yield
  const goal = fill(DIGEST_SHARES.asks / 2, goalLines(messages, options.focus))
  const asks = [...mustAsk.slice(0, 1), ...fill(DIGEST_SHARES.asks / 2, mustAsk.slice(1))]
  const carried = fill(DIGEST_SHARES.decisions, previousLines(options.previous))
  yield
  const decisions = fill(DIGEST_SHARES.decisions, decisionLines(messages))
  yield
  const constraints = fill(DIGEST_SHARES.constraints, constraintLines(messages))
  yield
  const todos = fill(DIGEST_SHARES.todos, todoLines(messages))
  yield
  const files = fill(DIGEST_SHARES.files, fileLines(messages))
  yield
  const errors = fill(DIGEST_SHARES.errors, errorLines(messages))
  yield
  const recovery = fill(DIGEST_SHARES.recovery, locatorLines(messages, sizeOf))
  const said = [
    ...goal,
    ...asks,
    ...carried,
    ...decisions,
    ...constraints,
    ...todos,
    ...files,
    ...errors,
  ].join('\n')
  const ranked = yield* rankSpans(messages, options)
  const identifiers = identifierLines(audited, ranked, { said, isSecret }, budget)

  const sections: readonly (readonly [string, readonly string[], string?])[] = [
    ['## Goal', goal],
    [REQUIRED_HEADINGS[0], [...decisions, ...carried], 'None recorded.'],
    [REQUIRED_HEADINGS[1], todos, 'None recorded.'],
    [REQUIRED_HEADINGS[2], constraints, 'None recorded.'],
    [REQUIRED_HEADINGS[3], asks, 'None.'],
    [REQUIRED_HEADINGS[4], identifiers, 'None.'],
    ['## Files', files],
    ['## Errors', errors],
    ['## Where to read it again', recovery],
  ]
  const body = sections
    .map(([heading, lines, empty]) => ({ heading, lines: lines.length > 0 || !empty ? lines : [empty] }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => `${heading}\n${lines.join('\n')}`)
  return [DIGEST_MARK, ...body].join('\n\n')
}

function* coveredInSteps(
  whole: readonly SourceMessage[],
  mask: (text: string) => string,
): Steps<readonly SourceMessage[]> {
  const messages: SourceMessage[] = []
  yield* eachInSteps(whole, (message) => messages.push(coveredMessage(message, mask)))
  return messages
}

function maskedAll(
  { previous, focus }: Pick<DigestOptions, 'previous' | 'focus'>,
  mask: (text: string) => string,
): Pick<DigestOptions, 'previous' | 'focus'> {
  return {
    ...(previous === undefined ? {} : { previous: mask(previous) }),
    ...(focus === undefined ? {} : { focus: mask(focus) }),
  }
}

/** What is in every digest. */
const FRAME = [
  DIGEST_MARK,
  ...REQUIRED_HEADINGS,
  '## Goal',
  '## Files',
  '## Errors',
  '## Where to read it again',
]

/** Points of an earlier summary; its headings are ours again. */
function previousLines(previous: string | undefined): string[] {
  if (previous === undefined) return []
  const lines = previous.split('\n').map((line) => line.trim())
  return lines.filter((line) => /^[-*] \S/.test(line)).map((line) => `- (earlier) ${line.slice(2, 300)}`)
}
