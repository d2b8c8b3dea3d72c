import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type ProcessRun, runProgram } from '../bench/run-process'
import { installClient } from '../clients/install'

/** The peer that sums up the usage of Claude Code, Codex and others: npm `ccusage`, pinned. */
const VERSION = '20.0.24'
const SYSTEM = `${process.platform}-${process.arch}`

/** The program itself: what is on npm as `ccusage` only starts it. */
function ccusageProgram(): string {
  const folder = installClient(`@ccusage/ccusage-${SYSTEM}`, VERSION)
  const program = join(folder, 'bin', process.platform === 'win32' ? 'ccusage.exe' : 'ccusage')
  // Its archive has it as a plain file; what starts it makes it one to run.
  chmodSync(program, 0o755)
  return program
}

/** Stores that it is asked for. */
export type PeerStores = { readonly claudeConfig: string; readonly codexHome: string; readonly home: string }

/** Runs it with prices that it brings along, days in UTC, and no settings of anybody. */
export function runCcusage(args: readonly string[], stores: PeerStores): Promise<ProcessRun> {
  return runProgram(ccusageProgram(), [...args, '--json', '--offline', '--timezone', 'UTC'], {
    cwd: stores.home,
    env: {
      HOME: stores.home,
      XDG_CONFIG_HOME: stores.home,
      CLAUDE_CONFIG_DIR: stores.claudeConfig,
      CODEX_HOME: stores.codexHome,
    },
  })
}

const TOKENS = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
})
const SESSIONS = z.object({ sessions: z.array(TOKENS.extend({ sessionId: z.string() })) })
const DAYS = z.object({ daily: z.array(TOKENS.extend({ date: z.string() })) })

/** Four sums, as Plimsoll names them. */
export type PeerUsage = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

function usageOf(row: z.infer<typeof TOKENS>): PeerUsage {
  return {
    input: row.inputTokens,
    output: row.outputTokens,
    cacheRead: row.cacheReadTokens,
    cacheWrite: row.cacheCreationTokens,
  }
}

/** Of each session, by the last part of its id there: the name of its file. */
export async function peerSessions(
  of: 'claude' | 'codex',
  stores: PeerStores,
): Promise<Map<string, PeerUsage>> {
  const { stdout } = await runCcusage([of, 'session'], stores)
  const { sessions } = SESSIONS.parse(JSON.parse(stdout))
  return new Map(sessions.map((row) => [row.sessionId.split('/').at(-1) ?? '', usageOf(row)]))
}

/** Of each day, in UTC. */
export async function peerDays(of: 'claude' | 'codex', stores: PeerStores): Promise<Map<string, PeerUsage>> {
  const { stdout } = await runCcusage([of, 'daily'], stores)
  return new Map(DAYS.parse(JSON.parse(stdout)).daily.map((row) => [row.date, usageOf(row)]))
}
