import { join } from 'node:path'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { fileContextLog } from '../../adapters/logs/file-context-log'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import type { ContentMessage } from '../../core/history/thinking'
import { LOG_KINDS } from '../../core/logs/log-kinds'
import type { WriteFiles } from '../../engine/write/write-ports'
import { coldAgent, MEMFAS, NOW, said } from '../cold-conversation'
import { sizeOf } from '../live-conversation'
import { type Measurement, median } from './report'

const CHUNKS = 1_000
const RUNS = 5

/** How long an agent's conversation of a thousand chunks and more takes to be curated, onto a real disk, logs included. */
export async function dropMeasurements(folder: string): Promise<Measurement[]> {
  const runs: { readonly wall: number; readonly cpu: number; readonly syncs: number }[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await dropOnce(join(folder, `drop-${run}`)))
  const syncs = runs.map((run) => run.syncs)
  return [
    {
      what: `drop of ${CHUNKS.toLocaleString('en')} chunks to disk`,
      value: median(runs.map(({ wall }) => wall)),
      unit: 'ms',
      limit: 2_000,
      note: `1,000 characters each; ${median(runs.map(({ cpu }) => cpu)).toFixed(0)} ms CPU`,
    },
    { what: 'flushes of files for it', value: Math.max(...syncs), unit: '', limit: 1 },
  ]
}

async function dropOnce(folder: string) {
  let syncs = 0
  const files: WriteFiles = {
    ...nodeWriteFiles,
    create: async (path, mode) => {
      const file = await nodeWriteFiles.create(path, mode)
      const sync = async () => {
        syncs += 1
        await file.sync()
      }
      return { ...file, sync }
    },
  }
  const messages: ContentMessage[] = Array.from({ length: CHUNKS + 4 }, (_, i) =>
    said('assistant', `page ${i} `.repeat(120).slice(0, 1_000), NOW - 86_400_000),
  )
  messages.push(said('user', 'Which crane stands at pier seven?'))
  const tokens = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  const { context } = coldAgent(messages, MEMFAS, {
    window: Math.round((tokens * 1.2) / 0.45),
    cold: fileColdStore(files, join(folder, 'cold'), () => 'batch'),
    log: fileContextLog({ folder: join(folder, 'logs'), kinds: LOG_KINDS, clock: { now: Date.now } }),
  })
  const cpu = process.cpuUsage()
  const from = performance.now()
  const { drop } = await context.afterResponse()
  const wall = performance.now() - from
  if (drop?.dropped.length !== CHUNKS) throw new Error(`${drop?.dropped.length} chunks were dropped`)
  const used = process.cpuUsage(cpu)
  return { wall, cpu: (used.user + used.system) / 1000, syncs }
}
