import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { CORPUS, transcriptFiles } from '../corpus'
import { type PeerStores, type PeerUsage, peerDays, peerSessions } from '../peers/ccusage'
import { runCli } from '../run-cli'

/**
 * What both are given: every session of the corpus, of which ccusage reads the projects folder of Claude Code and the
 * sessions folder of Codex.
 */
const FOLDERS = {
  claude: ['claude-code', 'claude-code-2.1.197', 'claude-code-2.1.330'],
  codex: ['codex', 'codex-0.169.0-local', 'codex-0.169.0-remote'],
} as const

const USAGE = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})
const SESSIONS = z.object({ sessions: z.array(z.object({ file: z.string(), usage: USAGE })) })
const REPORT = z.object({ days: z.array(USAGE.extend({ day: z.string() })) })
const NOTHING: PeerUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Differences that are explained in the help (`lib/view/help/beside-ccusage.ts`), by session: ours less theirs. */
const EXPLAINED: Readonly<Record<string, Partial<PeerUsage>>> = {
  // Written to the cache by the whole, and nothing by its lifetimes: they take the sum of the lifetimes.
  'claude-code-2.1.197': { cacheWrite: 7000 },
  'claude-code-2.1.330': { cacheWrite: 7000 },
  // The request of a compaction by the provider, which token_count leaves out.
  'rollout-2026-11-22T16-38-17-01a2041f-68c6-7880-973f-50452bec9acb': {
    input: 600,
    output: 6895,
    cacheRead: 26_737,
  },
}

let stores: PeerStores
beforeAll(() => {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-peers-'))
  stores = { home, claudeConfig: join(home, 'claude'), codexHome: join(home, 'codex') }
  for (const [kind, folders] of Object.entries(FOLDERS))
    for (const folder of folders)
      for (const file of transcriptFiles(join(CORPUS ?? '', folder))) {
        const name = basename(file) === 'session.jsonl' ? `${folder}.jsonl` : basename(file)
        const target =
          kind === 'claude'
            ? join(stores.claudeConfig, 'projects', folder, name)
            : join(stores.codexHome, 'sessions', '2026', '11', '22', name)
        mkdirSync(dirname(target), { recursive: true })
        copyFileSync(file, target)
      }
})
afterAll(() => rmSync(stores.home, { recursive: true, force: true }))

const rootOf = (kind: 'claude' | 'codex') =>
  kind === 'claude' ? join(stores.claudeConfig, 'projects') : join(stores.codexHome, 'sessions')

async function ourSessions(kind: 'claude' | 'codex'): Promise<Map<string, PeerUsage>> {
  const { stdout } = await runCli(['sessions', '--json', '--store', rootOf(kind)])
  return new Map(
    SESSIONS.parse(JSON.parse(stdout)).sessions.map(({ file, usage }) => [basename(file, '.jsonl'), usage]),
  )
}

async function ourDays(kind: 'claude' | 'codex'): Promise<Map<string, PeerUsage>> {
  const { stdout } = await runCli(['report', '--json', '--since', 'all', '--store', rootOf(kind)])
  return new Map(
    REPORT.parse(JSON.parse(stdout)).days.map(({ day, input, output, cacheRead, cacheWrite }) => [
      day,
      { input, output, cacheRead, cacheWrite },
    ]),
  )
}

function lessOf(ours: PeerUsage, theirs: PeerUsage): PeerUsage {
  return {
    input: ours.input - theirs.input,
    output: ours.output - theirs.output,
    cacheRead: ours.cacheRead - theirs.cacheRead,
    cacheWrite: ours.cacheWrite - theirs.cacheWrite,
  }
}

function differences(ours: Map<string, PeerUsage>, theirs: Map<string, PeerUsage>) {
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].sort()
  return names.flatMap((name) => {
    const less = lessOf(ours.get(name) ?? NOTHING, theirs.get(name) ?? NOTHING)
    return Object.values(less).some((amount) => amount !== 0) ? [[name, less] as const] : []
  })
}

describe.skipIf(CORPUS === null).each(['claude', 'codex'] as const)(
  'usage beside ccusage, of %s (needs the shared corpus)',
  (kind) => {
    it('is the same of every session, save for what the help explains', async () => {
      const [ours, theirs] = [await ourSessions(kind), await peerSessions(kind, stores)]
      expect(theirs.size).toBeGreaterThan(2)
      for (const [name, less] of differences(ours, theirs))
        expect([name, less]).toEqual([name, { ...NOTHING, ...EXPLAINED[name] }])
      console.log(`${kind}: ${ours.size} sessions, ${differences(ours, theirs).length} of them explained`)
    })

    it('is the same of every day, save for what is explained of the sessions on it', async () => {
      const [ours, theirs] = [await ourDays(kind), await peerDays(kind, stores)]
      const left = differences(ours, theirs).map(([, less]) => less)
      const explained = Object.entries(EXPLAINED)
        .filter(([name]) => name.startsWith('rollout') === (kind === 'codex'))
        .map(([, less]) => ({ ...NOTHING, ...less }))
      const sum = (all: readonly PeerUsage[]) => all.reduce((a, b) => lessOf(a, lessOf(NOTHING, b)), NOTHING)
      expect(sum(left)).toEqual(sum(explained))
      expect(left.length).toBeLessThanOrEqual(explained.length)
      console.log(`${kind}: ${ours.size} days, ${left.length} of them explained`)
    })
  },
)
