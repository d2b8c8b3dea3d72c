import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryFiles } from '../../adapters/memory/memory-files'
import { recallJournal } from '../../adapters/memory/recall-journal'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { estimateUnits } from '../../core/tokens/estimate'
import { seededRandom } from '../../demo/random'
import { recallFor } from '../../engine/knowledge/recall'
import { RecallLibrary } from '../../engine/knowledge/recall-library'
import { type Bench, type Measurement, median, quantile } from './report'

/** Files of a memory folder, and pieces that each is divided into. */
const [FILES, PIECES] = [10_000, 10]
const PROMPTS = 200
/** Words of a vocabulary in which some are frequent and most are rare, as in a language. */
const VOCABULARY = 30_000

/** How fast a large memory is recalled from, and what keeping its index up to date costs. */
export const memoryBench: Bench = {
  name: 'memory',
  title: `Memory: ${FILES} notes of ${PIECES} pieces`,
  async run({ folder }): Promise<readonly Measurement[]> {
    const random = seededRandom(7)
    const word = () => `w${Math.floor(VOCABULARY ** random.next()).toString(36)}`
    const sentence = (length: number) => Array.from({ length }, word).join(' ')
    const notes = join(folder, 'memory')
    await mkdir(notes)
    for (let i = 0; i < FILES; i++) {
      const parts = Array.from({ length: PIECES }, (_, n) => `## Part ${n}\n${sentence(100)} key${i}x${n}.`)
      await writeFile(join(notes, `n${i}.md`), parts.join('\n\n'))
    }
    const file = join(folder, 'recall.jsonl')
    const open = () => new RecallLibrary({ places: [memoryFiles(folder)], journal: recallJournal(file) })
    const first = await timed(() => open().sync())
    const { size } = await stat(file)
    const library = open()
    const load = await timed(() => library.sync())
    const still = await timed(() => library.sync())
    await appendFile(join(notes, 'n17.md'), '\n\n## New\nThe lighthouse is red.')
    const change = await timed(() => library.sync())
    const policy = { ...DEFAULT_POLICY, semantic: { ...DEFAULT_POLICY.semantic, enabled: true } }
    const times: number[] = []
    for (let i = 0; i < PROMPTS; i++) {
      const prompt = `${sentence(18)} key${i * 31}x${i % PIECES}`
      const started = performance.now()
      // The search alone: what keeping the index up to date costs is beside it.
      const memory = {
        refresh: async () => ({ problems: [], notes: [] }),
        search: library.search.bind(library),
      }
      await recallFor(prompt, { policy, window: 200_000, memory, sizeOf: estimateUnits })
      times.push(performance.now() - started)
    }
    const { pieces } = first.value
    return [
      { what: `recall over ${pieces} pieces, p95`, value: quantile(times, 0.95), unit: 'ms', limit: 100 },
      { what: 'recall, median', value: median(times), unit: 'ms', limit: null },
      { what: 'indexing all of it', value: first.ms / 1000, unit: 's', limit: null },
      {
        what: 'reading the index again',
        value: load.ms / 1000,
        unit: 's',
        limit: null,
        note: `${Math.round(size / 1e6)} MB`,
      },
      { what: 'looking for changes where there are none', value: still.ms, unit: 'ms', limit: null },
      {
        what: 'one changed note, of the time for all',
        value: (change.ms / first.ms) * 100,
        unit: '%',
        limit: 20,
        note: `${Math.round(change.ms)} ms, ${change.value.read} read`,
      },
    ]
  },
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const started = performance.now()
  const value = await work()
  return { ms: performance.now() - started, value }
}
