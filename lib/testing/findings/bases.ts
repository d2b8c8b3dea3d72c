import { foundStore } from '../../adapters/discovery/found-store'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { inspectSession } from '../../engine/read/inspect-session'
import type { StoreKind } from '../../engine/read/ports'
import { transcriptFiles } from '../corpus'
import { type Chance, type FilledStep, stepsOf } from './talk'

/** A healthy session that grows with each call and finds its prompt in the cache. */
export function madeUpBase(chance: Chance): FilledStep[] {
  const steps: FilledStep[] = []
  let total = chance.whole(6_000, 12_000)
  for (let turn = 0; turn < 8; turn++) {
    const asked = chance.whole(20, 200)
    steps.push({ is: 'user', units: asked })
    for (let i = 0, calls = chance.whole(2, 5); i < calls; i++) {
      const output = chance.whole(30, 200)
      const result = chance.whole(50, 700)
      const before = total
      total += asked + output + result
      const tools = i === calls - 1 ? [] : [chance.one(['read', 'exec', 'grep'])]
      steps.push({ is: 'call', total, read: before, write: total - before, output, tools })
      if (tools.length > 0) steps.push({ is: 'result', units: result })
    }
  }
  return steps
}

const FOLDERS: readonly (readonly [folder: string, kind: StoreKind])[] = [
  ['pi', 'pi'],
  ['openclaw-2026.7.1', 'openclaw'],
  ['openclaw-public', 'openclaw'],
  ['claude-code', 'claude-code'],
  ['claude-code-2.1.197', 'claude-code'],
  ['claude-code-2.1.330', 'claude-code'],
  ['codex', 'codex'],
  ['codex-0.169.0-local', 'codex'],
]

/** So many calls make a base; a longer session gives several. */
const [LEAST_CALLS, MOST_CALLS] = [8, 40]

/** Stretches of the real sessions of a corpus, as steps. */
export async function corpusBases(corpus: string): Promise<FilledStep[][]> {
  const reader = createStoreReader({ lastLine: 'take-whole' })
  const bases: FilledStep[][] = []
  for (const [folder, kind] of FOLDERS)
    for (const file of transcriptFiles(`${corpus}/${folder}`)) {
      const store = foundStore(kind, 'jsonl', file, 'bench', 'ok')
      for await (const transcript of reader.list(store)) {
        const session = await inspectSession(reader, store, transcript, { texts: false })
        bases.push(...stretches(stepsOf(session)))
      }
    }
  return bases
}

function stretches(steps: readonly FilledStep[]): FilledStep[][] {
  const found: FilledStep[][] = []
  let [now, calls]: [FilledStep[], number] = [[], 0]
  for (const step of steps) {
    if (step.is === 'user' && calls >= MOST_CALLS) {
      found.push(now)
      ;[now, calls] = [[], 0]
    }
    now.push(step)
    if (step.is === 'call') calls += 1
  }
  return [...found, ...(calls >= LEAST_CALLS ? [now] : [])]
}
