import type { SentToModel } from '../../core/compaction/sent-to-model'
import type { AskedModel } from '../../core/summary/asked-model'
import { mirrorRefusal } from '../../core/transcript/mirror'
import type { Owner } from '../../core/transcript/seen'
import type { Lanes } from '../jobs/lanes'
import { compactByGateway, type GatewayCompaction } from '../openclaw/compact-by-gateway'
import type { Gateway } from '../openclaw/gateway-port'
import type { StoreReader } from '../read/ports'
import { Refused } from '../write/refusal'
import { type CompactionResult, compactSession, unfitReason } from './compact-session'
import type { CompactionPorts, CompactionRequest } from './compaction-ports'
import { askedModels, type RunsOn, type SummaryModels } from './summary-models'

/** Who compacts a session, or why it is not compacted. */
export type Compactor =
  | { readonly by: 'plimsoll' }
  | { readonly by: 'gateway'; readonly gateway: Gateway }
  /** `owner`: who keeps its real history, where that is the reason. */
  | { readonly by: null; readonly why: string; readonly owner: Owner | null }

/** @param gateway OpenClaw's, where the settings name it */
export function compactorOf(
  { store, transcript, owner }: Pick<RunRequest, 'store' | 'transcript' | 'owner'>,
  gateway: Gateway | null,
): Compactor {
  if (owner !== null) return { by: null, why: mirrorRefusal(owner), owner }
  const isGateways = store.kind === 'openclaw' && store.era === 'sqlite' && gateway !== null
  // A gateway knows sessions by their keys, and would compact the live one of that key.
  if (isGateways && transcript.state === 'live') return { by: 'gateway', gateway }
  const why = isGateways
    ? `${transcript.sessionId} is archived (${transcript.state}); only a live session is compacted.`
    : unfitReason({ store, transcript })
  return why === null ? { by: 'plimsoll' } : { by: null, why, owner: null }
}

export type RunPorts = {
  readonly reader: StoreReader
  readonly models: SummaryModels
  readonly gateway: Gateway | null
  readonly gatewayLanes: Lanes
  /** What it takes to compact it ourselves; asked for only then. @throws Refused */
  readonly own: () => Promise<CompactionPorts>
}

export type RunRequest = Omit<CompactionRequest, 'chain' | 'onAsk' | 'manual'> & {
  /** Another harness that keeps its real history (`ownerOf`, `ownerNow`); null: none does. */
  readonly owner: Owner | null
  /** The model that it runs on. */
  readonly runsOn: RunsOn
  /** Called before a model is asked, with what it gets, and who is asked after it if it fails. */
  readonly onAsk?: (sent: SentToModel, asked: readonly AskedModel[]) => void
  /** Called when OpenClaw's gateway is about to be asked. */
  readonly onGateway?: () => void
}

export type RunResult =
  /** `modelFailed`: a model was asked for the summary and gave none; the digest has its place. */
  | { readonly by: 'plimsoll'; readonly result: CompactionResult; readonly modelFailed: boolean }
  | { readonly by: 'gateway'; readonly result: GatewayCompaction }
  | Extract<Compactor, { by: null }>

/** Compacts a session that somebody asked to compact: by ourselves, or by the gateway of the runtime that it belongs to. */
export async function runCompaction(
  { reader, models, gateway, gatewayLanes, own }: RunPorts,
  { owner, runsOn, onAsk, onGateway, ...request }: RunRequest,
): Promise<RunResult> {
  const { store, transcript, policy, digest, signal } = request
  const compactor = compactorOf({ store, transcript, owner }, gateway)
  if (compactor.by === null) return compactor
  if (compactor.by === 'gateway') {
    onGateway?.()
    const ports = { reader, lanes: gatewayLanes, gateway: compactor.gateway }
    return { by: 'gateway', result: await compactByGateway(ports, { store, transcript, signal }) }
  }
  const chain = digest ? null : models.chainFor(policy, runsOn)
  const asking =
    onAsk === undefined
      ? {}
      : { onAsk: (sent: SentToModel) => onAsk(sent, askedModels(models, policy, runsOn)) }
  try {
    const result = await compactSession(await own(), { ...request, ...asking, chain, manual: true })
    const modelFailed = chain !== null && result.kind === 'compacted' && result.summary.source === 'digest'
    return { by: 'plimsoll', result, modelFailed }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { by: 'plimsoll', result: { kind: 'refused', refusal: error.refusal }, modelFailed: false }
  }
}
