import 'server-only'
import { compactByGateway } from '../engine/compact-by-gateway'
import type { Gateway } from '../engine/gateway-port'
import type { JobContext, JobOutcome } from '../engine/job-ports'
import { Lanes } from '../engine/lanes'
import type { FoundStore, FoundTranscript, StoreReader } from '../engine/ports'
import { formatCount } from '../view/format'
import { openGateway } from '../wire/gateway'
import { getSetup } from './setup'

/** Jobs have lanes of their own; this one is for whoever shares the store. */
const lanes = new Lanes(1)

/** The gateway that may compact a session of OpenClaw's database; null where it does not apply or is not configured. */
export function gatewayOf(store: FoundStore, transcript: FoundTranscript): Gateway | null {
  if (store.era !== 'sqlite' || transcript.state !== 'live' || transcript.key === null) return null
  return openGateway(getSetup(), process.env)
}

/** Has OpenClaw compact a session of its database, as a job; the outcome is what the database shows afterwards. */
export async function runGateway(
  gateway: Gateway,
  place: {
    readonly reader: StoreReader
    readonly store: FoundStore
    readonly transcript: FoundTranscript
  },
  { signal, report }: Pick<JobContext, 'signal' | 'report'>,
): Promise<JobOutcome> {
  const { reader, store, transcript } = place
  report({ done: 0, of: 1, doing: 'Waiting for OpenClaw’s gateway' })
  const result = await compactByGateway({ reader, lanes, gateway }, { store, transcript, signal })
  switch (result.kind) {
    case 'failed':
      return { kind: 'refused', message: result.message }
    case 'unverified':
      throw new Error(result.message)
    case 'stopped':
      return {
        kind: 'stopped',
        message: 'Stopped. What the gateway had begun may still be done; Compactions tells.',
      }
    case 'nothing':
      return {
        kind: 'done',
        message: `Nothing to compact: ${result.reason ?? 'the gateway named no reason'}.`,
        receipt: null,
      }
    case 'compacted': {
      const { value: before } = result.tokensBefore
      const { value: after } = result.tokensAfter
      const sizes =
        before === null || after === null ? '' : ` ${formatCount(before)} → ${formatCount(after)} tokens.`
      return {
        kind: 'done',
        message: `Compacted by OpenClaw’s gateway; the database holds the record and builds the context that it promises.${sizes} It cannot be undone from here.`,
        receipt: null,
        result: { record: result.recordId },
      }
    }
  }
}
