import { closeSync, fsyncSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PlayedSession, playSession } from '../../demo/play-session'
import { makePromptReport } from '../../demo/prompt-report'
import { type Random, seededRandom } from '../../demo/random'
import type { SessionScript } from '../../demo/session-script'

/** A store for measuring: its root, its transcripts and their size together. */
export type BulkStore = { readonly root: string; readonly files: readonly string[]; readonly bytes: number }

/** Fixed, so that every run measures the same bytes. */
const NOW = Date.parse('2026-11-20T12:00:00Z')
const AGENTS = ['anchor', 'beacon', 'capstan', 'davit'] as const
const SESSION_BYTES_PER_CALL = 4_600

/**
 * Writes an OpenClaw state folder with many made-up sessions of different lengths.
 * @param sessionBytes size of a session on average
 */
export function writeBulkStore(options: {
  readonly root: string
  readonly sessions: number
  readonly sessionBytes: number
  readonly seed: number
}): BulkStore {
  const random = seededRandom(options.seed)
  const files: string[] = []
  let bytes = 0
  for (const [i, agent] of AGENTS.entries()) {
    const folder = join(options.root, 'agents', agent, 'sessions')
    mkdirSync(folder, { recursive: true })
    const prompt = makePromptReport(random, { workspace: `/home/${agent}`, at: NOW })
    const index: Record<string, unknown> = {}
    for (let n = i; n < options.sessions; n += AGENTS.length) {
      const script = makeScript(random, options.sessionBytes, prompt.tokens, n)
      const played = playSession(script, random)
      const file = join(folder, `${played.sessionId}.jsonl`)
      writeFileSync(file, played.text)
      files.push(file)
      bytes += statSync(file).size
      index[`agent:${agent}:bulk:${n}`] = indexEntry(played, prompt.report)
    }
    writeFileSync(join(folder, 'sessions.json'), JSON.stringify(index))
  }
  // Sessions of real stores are on the disk already: their writing must not go on while others are measured.
  for (const file of files) flush(file)
  return { root: options.root, files, bytes }
}

function flush(file: string): void {
  const opened = openSync(file, 'r+')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Writes one session with at least this many entries; answers its file. */
export function writeLongSession(options: {
  readonly root: string
  readonly entries: number
  readonly seed: number
  readonly resultChars?: number
}): string {
  const random = seededRandom(options.seed)
  const folder = join(options.root, 'agents', 'marathon', 'sessions')
  mkdirSync(folder, { recursive: true })
  // A call leads to a little more than two entries: its answer, results, and its share of the requests.
  const script = { ...makeScript(random, 0, 9_000, 0), calls: Math.ceil(options.entries / 2.05) }
  const played = playSession({ ...script, resultChars: options.resultChars ?? 900 }, random)
  const file = join(folder, `${played.sessionId}.jsonl`)
  writeFileSync(file, played.text)
  const index = {
    'agent:marathon:main': indexEntry(played, makePromptReport(random, { workspace: '/', at: NOW }).report),
  }
  writeFileSync(join(folder, 'sessions.json'), JSON.stringify(index))
  return file
}

function makeScript(random: Random, sessionBytes: number, fixedTokens: number, n: number): SessionScript {
  // Most sessions are short, a few are long: 0.25 to 2.5 times the average.
  const factor = 0.25 + 2.25 * random.next() ** 2
  return {
    title: `Bulk ${n}`,
    provider: 'anthropic',
    api: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    window: 200_000,
    compactAt: 180_000,
    fixedTokens,
    calls: Math.max(2, Math.round((sessionBytes * factor) / SESSION_BYTES_PER_CALL)),
    resultChars: 5_000,
    startedAt: NOW - random.int(1, 60) * 86_400_000,
    pauseMs: 90_000,
    cwd: '/home/bulk',
    oddities: [],
  }
}

function indexEntry(played: PlayedSession, report: unknown) {
  return {
    sessionId: played.sessionId,
    updatedAt: played.updatedAt,
    modelProvider: played.provider,
    model: played.model,
    contextTokens: played.script.window,
    totalTokens: played.lastPromptTokens,
    totalTokensFresh: true,
    compactionCount: played.compactions,
    systemPromptReport: report,
  }
}
