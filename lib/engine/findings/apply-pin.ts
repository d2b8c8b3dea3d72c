import type { WriteResult } from '../write/receipt'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import type { PinnableRule, PinPlan } from './offer-pin'
import { watchSummary } from './watched-remedy'
import { writePlannedText } from './write-planned-text'

/** Writes one rule that the operator has seen; its receipt has the line, so that it is listed with the other remedies. */
export async function applyPin(
  writer: Writer,
  { finding, store, file, folder, hash }: PinPlan,
  { line, text }: PinnableRule,
  { actor, wait }: { readonly actor: string; readonly wait: WaitOptions },
): Promise<WriteResult> {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return writePlannedText(writer, {
    ...{ file, folder, hash, text, store: store.kind, wait },
    intent: {
      actor,
      reason: `Pins a rule of the user in ${name} for the finding ${finding.id}.`,
      summary: watchSummary({ finding, store, key: `a line of ${name}`, from: null, to: line }, null),
    },
  })
}
