import type { Encoding } from '../../core/tokens/bpe-vocabulary'
import type { ModelEncoding } from '../../core/tokens/model-encoding'
import type { Tokens } from '../../core/units/units'
import { formatCount, formatQuantity } from '../text/format'
import { signedPercent } from '../text/signed'

/** Texts of a context, or of one entry of it, counted with a tokenizer, beside what was estimated for the same ones. */
export type ExactReport = ModelEncoding & {
  readonly model: string | null
  readonly encoding: Encoding
  readonly tokens: Tokens
  /** What the frame holds for the entries that were counted; null when they are not in it. */
  readonly estimated: number | null
  readonly entries: number
  readonly images: number
  readonly cuts: number
  readonly unreadable: number
  /** Entries that the work was stopped before. */
  readonly left: number
}

/** `exact for …` only where the encoding is the model's own and no text had to be cut. */
export function exactBasis({ encoding, own, cuts }: Pick<ExactReport, 'encoding' | 'own' | 'cuts'>): string {
  return own && cuts === 0 ? `exact for ${encoding}` : `estimate by ${encoding}`
}

/** How far an estimate is from a count, `−2.1 %`; '' when there is nothing to compare. */
export function deviationText(estimated: number | null, counted: number): string {
  return estimated === null || counted === 0 ? '' : signedPercent((estimated - counted) / counted)
}

/** What a reader must know to take the count for what it is, a sentence each. */
export function exactNotes(report: ExactReport): string[] {
  const { encoding, own, factor, model, images, cuts, unreadable, left, entries } = report
  const notes: string[] = []
  if (!own) {
    const more = factor === 1 ? '' : `, which as a rule makes ${Math.round((factor - 1) * 100)}\u202f% more`
    notes.push(`Not the tokenizer of ${model ?? 'this model'}${more}: a second estimate by ${encoding}.`)
  }
  if (left > 0) {
    notes.push(
      `Stopped after ${formatQuantity(entries + unreadable, 'entry', 'entries')}; ${formatCount(left)} more were not counted.`,
    )
  }
  if (unreadable > 0) notes.push(`${formatQuantity(unreadable, 'entry', 'entries')} could not be read again.`)
  if (cuts > 0)
    notes.push(
      `Text without any break was cut in ${formatQuantity(cuts, 'place')}: a token more for each at most.`,
    )
  if (images > 0) notes.push(`${formatQuantity(images, 'image')} not counted: only text has tokens here.`)
  notes.push('The text alone, without what a provider puts around each message.')
  return notes
}
