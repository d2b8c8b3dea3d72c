import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClaudeCodeBuilder } from '../builders/foreign-lines'
import { writeBulkStore } from './bulk-store'
import { ratio } from './command-line-bench'
import { type Bench, type BenchContext, type Measurement, median } from './report'
import { type Import, runIngest } from './run-ingest'

const SESSIONS = 10_000
/** In turn with the stats: a machine is not as fast in one half of a minute as in the other. */
const ROUNDS = 15

type ManyFiles = { readonly root: string; readonly files: readonly string[] }

/** What an import costs when little or nothing has changed. */
export const unchangedBench: Bench = {
  name: 'unchanged',
  title: 'Import of what has not changed',
  async run(context) {
    const { folder, log } = context
    log('writing 10,000 small sessions of OpenClaw and of Claude Code …')
    const openClaw = writeBulkStore({
      root: join(folder, 'many'),
      sessions: SESSIONS,
      sessionBytes: 12_000,
      seed: 12,
    })
    const claudeCode = writeProjects(join(folder, 'projects'))
    const again = await nothingNew(context, openClaw, 'OpenClaw')
    const ofClaudeCode = await nothingNew(context, claudeCode, 'Claude Code')
    return [...again, ...ofClaudeCode, ...(await oneLineMore(context, openClaw))]
  },
}

async function nothingNew(context: BenchContext, store: ManyFiles, name: string): Promise<Measurement[]> {
  context.log(`importing those of ${name} …`)
  await runIngest(context, store, name)
  const again: Import[] = []
  const stats: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    stats.push(statAll(store))
    again.push(await runIngest(context, store, name))
  }
  if (again.some(({ figures }) => figures.sessionsChanged > 0))
    throw new Error('the second import found changes')
  return [
    ratio(
      `second import of 10,000 sessions of ${name} ÷ one stat per file`,
      median(again.map(({ figures }) => figures.ms)),
      median(stats),
      2.5,
    ),
    {
      what: 'the same as a process, start and all',
      value: median(again.map(({ ms }) => ms)),
      unit: 'ms',
      limit: null,
    },
  ]
}

async function oneLineMore(context: BenchContext, store: ManyFiles): Promise<Measurement[]> {
  const [file = ''] = store.files
  const line = `${JSON.stringify(entryAfter(file))}\n`
  appendFileSync(file, line)
  const appended = await runIngest(context, store, 'OpenClaw')
  return [
    {
      what: 'one appended line: bytes read',
      value: appended.figures.bytesRead,
      unit: 'B',
      // The line, and the bytes before it that tell growth from replacement.
      limit: line.length + 8_192,
      note: `the line has ${line.length} B`,
    },
    { what: 'one appended line: rows written', value: appended.figures.rowsWritten, unit: 'rows', limit: 10 },
  ]
}

function statAll({ files }: ManyFiles): number {
  const start = performance.now()
  for (const file of files) statSync(file)
  return performance.now() - start
}

/** Sessions of one call each, in the folders of fifty projects. */
function writeProjects(root: string): ManyFiles {
  const lines = new ClaudeCodeBuilder()
  lines.user('What is in the hold?')
  lines.answer('m1', { type: 'text', text: 'Barrels. '.repeat(100) }, { input: 900, output: 210 })
  const files = Array.from({ length: SESSIONS }, (_, i) => {
    const project = join(root, `-w-${i % 50}`)
    mkdirSync(project, { recursive: true })
    const id = `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`
    const file = join(project, `${id}.jsonl`)
    writeFileSync(file, lines.text().replaceAll('"s1"', JSON.stringify(id)))
    return file
  })
  return { root, files }
}

/** A user's message that goes on where the transcript ends. */
function entryAfter(file: string) {
  const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '{}'
  const { id } = JSON.parse(last) as { id?: string }
  return {
    type: 'message',
    id: 'a99e4ded',
    parentId: id ?? null,
    timestamp: '2026-11-20T13:00:00.000Z',
    message: { role: 'user', content: [{ type: 'text', text: 'One line more. '.repeat(20) }] },
  }
}
