import type { DatabasePlace, OpenClawCommands } from '../engine/openclaw/openclaw-commands'
import type { FoundStore, FoundTranscript } from '../engine/read/ports'
import { openCommands } from './gateway'
import { databasePlaceOf } from './maintenance'
import type { Setup, Variables } from './setup'

/** What writes the header that a transcript in a database lacks: OpenClaw's command, and the database that it is given. */
export type Doctor =
  | { readonly kind: 'ready'; readonly place: DatabasePlace; readonly commands: OpenClawCommands }
  /** `elsewhere`: not in a live database; `no-command`: the settings name none; `no-agent`: the database is of no agent. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'no-command' }
  | { readonly kind: 'no-agent' }

/** OpenClaw's doctor for a transcript, where there is one. */
export function doctorOf(
  setup: Setup,
  variables: Variables,
  store: FoundStore,
  transcript: FoundTranscript,
): Doctor {
  if (store.kind !== 'openclaw' || store.era !== 'sqlite' || transcript.path.includes('.sqlite#'))
    return { kind: 'elsewhere' }
  const commands = openCommands(setup, variables)
  if (commands === null) return { kind: 'no-command' }
  const place = databasePlaceOf(store, transcript.path)
  return place === null ? { kind: 'no-agent' } : { kind: 'ready', place, commands }
}
