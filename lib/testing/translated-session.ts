import { join } from 'node:path'
import { foundStore } from '../adapters/discovery/found-store'
import { createStoreReader } from '../adapters/stores/store-reader'
import { explainCall, type InspectedSession, inspectSession } from '../engine/read/inspect-session'
import type { FoundStore, StoreKind } from '../engine/read/ports'
import { temporaryFolder, writeFiles } from './store-folder'

/** A store of one transcript file in a folder of its runtime. */
export function foreignStore(
  kind: StoreKind,
  text: string,
  name = 's1.jsonl',
): { store: FoundStore; file: string } {
  const root = temporaryFolder()
  writeFiles(root, { [name]: text })
  const file = join(root, name)
  return { store: foundStore(kind, 'jsonl', file, 'test', 'ok'), file }
}

/** A transcript of another runtime, read as a page reads it. */
export async function readTranslatedSession(kind: StoreKind, text: string): Promise<InspectedSession> {
  const { store } = foreignStore(kind, text)
  const reader = createStoreReader({ lastLine: 'take-whole' })
  for await (const transcript of reader.list(store)) return inspectSession(reader, store, transcript)
  throw new Error('no transcript was found')
}

/** What a call was sent: role and beginning of each entry. */
export function sentTo(session: InspectedSession, call: number | 'next'): string[] {
  return (explainCall(session, call)?.entries ?? [])
    .filter(({ entry }) => entry.sent)
    .map(({ entry: { fact } }) => `${fact.role ?? fact.type}: ${fact.preview ?? ''}`)
}
