import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboard } from './world'

/** A dashboard over a session whose agent drops chunks and logs what it does. */
export type ColdWorld = {
  readonly url: string
  readonly file: string
  readonly logs: string
  text(): string
}

const DAY = 86_400_000
const NOW = Date.now()
const START = NOW - 3 * DAY

export const test = dashboard({
  name: 'cold',
  write: (folder) => {
    writeWorld(folder)
    return { PLIMSOLL_STORES: join(folder, 'sessions') }
  },
  view: ({ url, folder }): ColdWorld => {
    writeWorld(folder)
    const file = join(folder, 'sessions', 'a.jsonl')
    return {
      url,
      file,
      logs: join(folder, 'state', 'logs', 'context'),
      text: () => readFileSync(file, 'utf8'),
    }
  },
})

/** Session, archive, cold storage and logs in a folder; what is there and was not changed is left alone. */
function writeWorld(folder: string): void {
  const root = join(folder, 'sessions')
  const state = join(folder, 'state')
  const logs = join(state, 'logs', 'context')
  const cold = join(state, 'cold-storage', 'a')
  for (const each of [root, logs, cold]) mkdirSync(each, { recursive: true })
  const file = join(root, 'a.jsonl')
  put(file, lines(transcript()))
  const putAside = join(root, 'old.jsonl.reset.2026-10-01T08-00-00.000Z')
  put(putAside, lines([header('old'), message('x1', null, 0, user('Where did the lighthouse keeper go?'))]))
  for (const record of chunks()) put(join(cold, `${record.chunk_id}.jsonl`), lines([record]))
  put(join(cold, 'torn.jsonl'), '{"chunk_id":"torn","session')
  put(join(logs, 'drops.jsonl'), `${lines(chunks().map(drop))}not a line\n`)
  put(join(logs, 'recovery.jsonl'), lines([recovery('e101'), recovery('e109'), recovery('e113')]))
  put(join(logs, 'compaction.jsonl'), lines([0, 1, 2].map(compaction)))
  put(join(logs, 'curation.jsonl'), lines([0, 1, 2].map(curation)))
  put(join(logs, 'context-health.jsonl'), lines(Array.from({ length: 120 }, (_, i) => health(i))))
}

function put(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

const lines = (all: readonly object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')
const time = (at: number) => new Date(at).toISOString()
const user = (content: string) => ({ role: 'user', content })
const header = (id: string) => ({ type: 'session', version: 3, id, timestamp: time(START), cwd: '/w' })
const message = (id: string, parentId: string | null, n: number, of: object) => ({
  ...{ type: 'message', id, parentId, timestamp: time(START + n * 60_000) },
  message: of,
})

/** Forty turns: each asks for a separate file; the last one comes back to the file that only the first named. */
function transcript(): object[] {
  const all: object[] = [header('a')]
  let parent: string | null = null
  const add = (of: object) => {
    const id = `e${all.length}`
    all.push(message(id, parent, all.length, of))
    parent = id
  }
  for (let n = 0; n < 40; n++) {
    const path = n === 39 ? 'src/harbour/berth-seven.ts' : `cakes/recipe${n}.md`
    add(user(n === 0 ? 'Where do the berths stand?' : `Now read cake number ${n}.`))
    const call = { type: 'toolCall', id: `t${n}`, name: 'read', arguments: { path } }
    const usage = {
      input: 1_000 + n * 700,
      output: 40,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 1_040 + n * 700,
    }
    add({ role: 'assistant', model: 'claude-sonnet-4-5', usage, content: [call], stopReason: 'toolUse' })
    const answer = n === 0 ? 'They stand in src/harbour/berth-seven.ts. ' : ''
    const text = `${answer}${`Cake ${n} takes flour and patience, and nothing else of note. `.repeat(30)}`
    add({ role: 'toolResult', toolCallId: `t${n}`, toolName: 'read', content: [{ type: 'text', text }] })
    add({
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: `Done with ${n}.` }],
      stopReason: 'stop',
    })
  }
  return all
}

/** Thirty chunks that were dropped by score, one by the hard limit, and two that have expired. */
function chunks() {
  return Array.from({ length: 33 }, (_, i) => {
    const at = START + 3 * 3_600_000 + i * 60_000
    const isOld = i > 30
    return {
      chunk_id: `e${i * 4 + 1}`,
      session_id: 'a',
      timestamp: time(at),
      content:
        i === 2
          ? 'The harbour master keeps the tide table in the top drawer.'
          : `Cake ${i} takes flour and patience, and nothing else of note. `.repeat(20),
      tokens: 300 + i,
      drop_reason: i === 30 ? 'hard_limit' : 'low_relevance',
      relevance_score: Math.round((i / 30) * 29) / 100,
      prompt_at_drop: 'Which cake is next?',
      recoverable_until: time(isOld ? NOW - DAY : at + 30 * DAY),
      entry_ids: [`e${i * 4 + 1}`],
      after_entry_id: i === 0 ? null : `e${i * 4}`,
    }
  })
}

function drop({
  chunk_id,
  session_id,
  timestamp,
  drop_reason,
  relevance_score,
  tokens,
}: ReturnType<typeof chunks>[number]) {
  const threshold = drop_reason === 'hard_limit' ? {} : { threshold_used: 0.3 }
  return {
    ...{
      timestamp,
      event: 'chunk_dropped',
      chunk_id,
      session_id,
      reason: drop_reason,
      relevance_score,
      tokens,
    },
    ...threshold,
  }
}

function recovery(chunk_id: string) {
  const timestamp = time(START + 2 * DAY)
  return {
    timestamp,
    event: 'chunk_recovered',
    chunk_id,
    session_id: 'a',
    trigger: 'manual',
    destination: 'context',
  }
}

function compaction(day: number) {
  const timestamp = time(START + day * DAY + 3_600_000)
  return {
    timestamp,
    event: 'compaction_triggered',
    trigger: 'token_threshold',
    tokens_before: 90_000,
    tokens_after: 40_000 + day * 9_000,
  }
}

function curation(day: number) {
  const timestamp = time(START + day * DAY + 7_200_000)
  return {
    timestamp,
    event: 'memfas_curation',
    query: 'cake',
    hits_found: 2,
    token_savings: 9_000 + day * 4_000,
  }
}

function health(i: number) {
  const at = START + i * 30 * 60_000 + (i > 60 ? 8 * 3_600_000 : 0)
  return {
    timestamp: time(at),
    current_tokens: 30_000 + ((i * 1_700) % 70_000),
    limit: 200_000,
    event: 'health_check',
  }
}
