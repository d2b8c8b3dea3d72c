import type { Receipt, WriteRefusal, WriteResult } from '../write/receipt'
import type { JobOutcome } from './job-ports'

/** What became of a job that wrote. @param words for a reader: what was done, and what it means that nothing had to be */
export function writeOutcome(
  result: WriteResult,
  words: { readonly done: (receipt: Receipt) => string; readonly unchanged: string },
): JobOutcome {
  switch (result.kind) {
    case 'done': {
      const { receipt, notes } = result
      const message = [words.done(receipt), ...notes].join(' ')
      const written = { receipt: receipt.id, backup: receipt.files[0]?.backup ?? null, notes }
      return { kind: 'done', message, receipt: receipt.id, result: written }
    }
    case 'unchanged':
      return { kind: 'done', message: words.unchanged, receipt: null }
    case 'refused':
      return refusedOutcome(result.refusal)
  }
}

/** What another program did to a store when it was asked to. */
type OutsideResult =
  | { readonly kind: 'done'; readonly receipt: Receipt; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }
  | { readonly kind: 'unverified'; readonly message: string }

/**
 * What became of a job that had another program write.
 * @param done what was done, for a reader
 * @throws Error when the store does not bear out what was announced
 */
export function outsideOutcome<R extends OutsideResult>(
  result: R,
  done: (result: Extract<R, { kind: 'done' }>) => string,
): JobOutcome {
  switch (result.kind) {
    case 'done': {
      const message = [done(result as Extract<R, { kind: 'done' }>), ...result.notes].join(' ')
      return { kind: 'done', message, receipt: result.receipt.id }
    }
    case 'refused':
      return refusedOutcome(result.refusal)
    case 'unverified':
      throw new Error(result.message)
  }
}

function refusedOutcome({ code, message }: WriteRefusal): JobOutcome {
  return { kind: code === 'stopped' ? 'stopped' : 'refused', message }
}
