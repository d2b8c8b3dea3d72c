import { claudeCodeModelWindow } from '../../core/sources/claude-code/model-window'
import type { FrameSetup } from '../../core/tokens/build-frame'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import { listedWindow } from '../../core/tokens/listed-models'
import { fingerprint } from './fingerprint'
import type { FoundStore, FoundTranscript } from './ports'

/** What the frames of a transcript are made with, from what its store says about it. */
export function frameSetupOf(
  store: Pick<FoundStore, 'kind'>,
  transcript: Pick<FoundTranscript, 'index' | 'windows'>,
): FrameSetup {
  const { index, windows } = transcript
  const tokens = index?.contextWindow
  return {
    runtime: store.kind,
    hints: {
      index: tokens === undefined ? null : { tokens, model: index?.model ?? null },
      ...(windows === undefined ? {} : { catalogue: windows }),
      // What the client reckons with counts, not what the model could take.
      ...(store.kind === 'claude-code' ? { client: claudeCodeModelWindow } : { listed: listedWindow }),
    },
    report: index?.report ?? null,
  }
}

/** Changes when what a runtime reckons with for its models does. */
const CLIENT_TABLE = 'claude-code 2.1.330'

/**
 * Changes when frames that exist already should be made again: a window became known or another one, another edition
 * of the list of models came, or the first report on the fixed part. A later report is about later calls only; frames keep the one of their time.
 */
export function setupKeyOf(setup: FrameSetup): string {
  const { index, catalogue, client, listed } = setup.hints
  const window = index === null ? '' : `${index.tokens}/${index.model ?? ''}`
  const list = listed === undefined ? '' : LIST_EDITION.version
  const table = client === undefined ? '' : `|${CLIENT_TABLE}`
  return fingerprint(`${window}|${setup.report !== null}|${catalogueKey(catalogue)}|${list}${table}`)
}

// One catalogue is shared by all transcripts of a store; it is worth printing once.
const catalogueKeys = new WeakMap<object, string>()

/** Fingerprint of a model catalogue. */
export function catalogueKey(catalogue: Readonly<Record<string, number>> | undefined): string {
  if (catalogue === undefined) return ''
  const known = catalogueKeys.get(catalogue)
  if (known !== undefined) return known
  const key = fingerprint(JSON.stringify(catalogue))
  catalogueKeys.set(catalogue, key)
  return key
}
