import type { JobOutcome } from './job-ports'
import type { Receipt, WriteResult } from './receipt'

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
    case 'refused': {
      const { code, message } = result.refusal
      return { kind: code === 'stopped' ? 'stopped' : 'refused', message }
    }
  }
}
