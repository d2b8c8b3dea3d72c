import type { CompactionOddity, CompactionTrigger, InspectedCompaction } from '../../core/compaction/inspect'
import type { ProviderCompaction } from '../../core/compaction/inspect-checkpoint'
import type { Basis } from '../../core/tokens/figure'
import type { ShortTerm } from '../help/short-meanings'
import type { JobView } from '../jobs/jobs'
import { explanationWords } from '../policy/fit-words'
import { CUT_CURE } from '../session/seen'
import { formatCount, formatPercent, formatQuantity } from '../text/format'
import type { DiagnosisItem } from './diagnosis'
import type { LossesView } from './losses'

/** A short word, what it says of this one, and what the help calls it where it has an entry. */
type BadgeWord = { readonly word: string; readonly about: string; readonly help?: ShortTerm }

/** A compaction or reset as the list shows it. Tokens are those of prompts; null: not reported. */
export type CompactionItem = {
  /** Its place among the compactions and resets of the transcript, from 1, the oldest first. */
  readonly number: number
  readonly seq: number
  readonly line: number
  readonly at: number | null
  readonly kind: InspectedCompaction['kind']
  /** What a provider's own compaction says of itself. */
  readonly provider: ProviderWords | null
  readonly trigger: BadgeWord
  readonly fromHook: boolean
  readonly promptBefore: number | null
  readonly promptAfter: number | null
  readonly beforeBasis: Basis
  readonly afterBasis: Basis
  /** What the record itself says of the size before. */
  readonly recordedBefore: number | null
  /** Share of the prompt that it freed; negative when it grew, null when that is not known. */
  readonly freed: number | null
  /** Its oddities say that it freed nothing, whatever the sizes. */
  readonly freesNothing: boolean
  readonly summarised: number
  readonly kept: number
  readonly midTask: boolean
  readonly oddities: readonly BadgeWord[]
  /** The calls around it; null where there is none. */
  readonly callBefore: number | null
  readonly callAfter: number | null
  /** The receipt, where it was made with Plimsoll. */
  readonly ours: JobView['receipt']
}

type ProviderWords = {
  /** `openai/gpt-5.5`; 'unknown' when the record cannot be read. */
  readonly name: string
  /** What can be known of what it kept. */
  readonly kept: string
}

/** The content of one of them, read when it is opened. */
export type CompactionDetailView = {
  /** Credentials covered; null: encrypted, what it kept is unknown. */
  readonly summary: string | null
  /** null: unknown. */
  readonly losses: LossesView | null
  /** Entries after it that were examined for names that came back, and whether those are all up to the next. */
  readonly lookedAt: number
  readonly complete: boolean
}

export type CompactionsView = {
  readonly items: readonly CompactionItem[]
  /** Why they are as they are: what was found wrong with them, the worst first. */
  readonly diagnosis: readonly DiagnosisItem[]
  readonly calls: number
}

const TRIGGERS: { readonly [T in CompactionTrigger]: CompactionItem['trigger'] } = {
  overflow: { word: 'overflow', about: 'the provider had refused the prompt as too long' },
  threshold: { word: 'threshold', about: 'the line at which its runtime compacts was reached' },
  asked: { word: 'asked for', about: 'asked for by a person or a program, not by a line' },
  early: {
    word: 'below the line',
    about: 'the line of its runtime was not reached: it was asked for, or settings of that time were others',
    help: 'below-the-line',
  },
  provider: {
    word: 'by the provider',
    about: 'the provider compacted on its own side, at its own threshold',
  },
  unknown: { word: 'unknown trigger', about: 'the record does not tell what its runtime compared' },
}

const ODDITIES: { readonly [O in CompactionOddity]: CompactionItem['oddities'][number] } = {
  'reclaimed-nothing': {
    word: 'reclaimed nothing',
    about: 'The prompt after it was no smaller than the one before it.',
    help: 'reclaimed-little',
  },
  'cut-prompts': {
    word: 'cut prompts',
    about: `What the provider saw was as much after it as before: it cuts every prompt to its limit. ${CUT_CURE}`,
  },
  doubled: {
    word: 'repeated at once',
    about: 'No call was made since the compaction before it.',
    help: 'repeated-at-once',
  },
  'was-reset': {
    word: 'began anew',
    about: 'Nothing of the conversation stayed word for word: in fact it began anew.',
  },
  unreadable: {
    word: 'unreadable',
    about: 'The record of the provider cannot be read, so OpenClaw sends the full history.',
  },
  'needs-rebuild': {
    word: 'needs /compact',
    about: 'The window that the provider kept cannot be read: OpenClaw sends nothing until /compact is run.',
  },
  'other-session': {
    word: 'of another session',
    about: 'The provider made it for the session that this one is a copy of; here the full history is sent.',
  },
}

/**
 * Newest first.
 * @param found in the order of the file
 * @param calls of the session
 * @param receiptOf the receipt of a record of ours, by the id of its entry
 */
export function compactionItems(
  found: readonly InspectedCompaction[],
  calls: number,
  receiptOf: (entryId: string) => JobView['receipt'],
): readonly CompactionItem[] {
  const items = found.map((one, i): CompactionItem => {
    const { seq, line, at, kind, fromHook, promptBefore, promptAfter, recordedBefore, midTask } = one
    const { beforeBasis, afterBasis } = one
    return {
      number: i + 1,
      seq,
      line,
      at,
      kind,
      provider: one.provider === undefined ? null : providerWords(one.provider),
      trigger: triggerOf(one),
      fromHook,
      promptBefore,
      promptAfter,
      beforeBasis,
      afterBasis,
      recordedBefore,
      freed: freedShare(one),
      freesNothing: one.oddities.some((oddity) => oddity === 'cut-prompts' || oddity === 'reclaimed-nothing'),
      summarised: one.summarised.length,
      kept: one.kept.length,
      midTask,
      oddities: one.oddities.map((oddity) => oddityWords(oddity, freedShare(one))),
      callBefore: one.afterCall === 0 ? null : one.afterCall,
      callAfter: one.afterCall < calls ? one.afterCall + 1 : null,
      ours: receiptOf(one.entryId),
    }
  })
  return items.reverse()
}

/** Less than this is shown as none. */
const LEAST_FREED = 0.0005

/** A prompt that is a little smaller is not called as large as before. */
function oddityWords(oddity: CompactionOddity, freed: number | null): CompactionItem['oddities'][number] {
  const words = ODDITIES[oddity]
  if (oddity !== 'reclaimed-nothing' || freed === null || freed < LEAST_FREED) return words
  return {
    ...words,
    word: 'reclaimed little',
    about: 'The prompt after it was hardly smaller than the one before it.',
  }
}

/** What set it off, with what was compared where that is known. */
function triggerOf({ trigger, explanation }: InspectedCompaction): CompactionItem['trigger'] {
  const words = TRIGGERS[trigger]
  if (explanation === null) return words
  const compared = explanationWords(explanation)
  return {
    ...words,
    about: explanation.verdict === 'explained' ? `${words.about}: ${compared}` : compared,
  }
}

function providerWords({
  name,
  model,
  readable,
  chars,
  windowMessages,
  problem,
}: ProviderCompaction): ProviderWords {
  if (name === null)
    return { name: 'unknown', kept: `cannot be read${problem === undefined ? '' : `: ${problem}`}` }
  const window = windowMessages > 0 ? `${formatQuantity(windowMessages, 'message')} as written, and ` : ''
  const what = readable ? 'a summary' : 'unknown, encrypted'
  return { name: `${name}/${model}`, kept: `${window}${what} (${formatQuantity(chars, 'character')})` }
}

/** Share of the prompt that a compaction freed; negative when it grew, null when that is not known. */
export function freedShare({
  promptBefore,
  promptAfter,
}: Pick<InspectedCompaction, 'promptBefore' | 'promptAfter'>): number | null {
  const isKnown = promptBefore !== null && promptAfter !== null && promptBefore > 0
  return isKnown ? (promptBefore - promptAfter) / promptBefore : null
}

/** `−77 %`, `+3 %: it grew`; '' when it is not known. */
export function freedWords(freed: number | null): string {
  if (freed === null) return ''
  if (Math.abs(freed) < LEAST_FREED) return formatPercent(0)
  return freed > 0 ? `−${formatPercent(freed)}` : `+${formatPercent(-freed)}: it grew`
}

/** Where names that came back were searched for. */
export function lookedWords({ lookedAt, complete }: CompactionDetailView): string {
  const where = complete ? 'up to the next one or the end' : 'the first of those that follow'
  return `${formatCount(lookedAt)} entries after it were looked at, ${where}.`
}
