import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import type { ProcessTable } from './process-table'

/**
 * A gateway that runs, by the file that it keeps while it does: `<temporary
 * folder>/openclaw-<uid>/gateway.<hash>.lock`.
 */
export type RunningGateway = {
  readonly pid: number
  /** Milliseconds since the epoch; null when the file does not say. */
  readonly since: number | null
  readonly configPath: string
  readonly lockFile: string
}

const shape = z.object({
  pid: z.number().int().positive(),
  createdAt: z.string(),
  configPath: z.string(),
  startTime: z.number().optional(),
})

/** The gateways of this machine whose process lives. @param folders temporary folders to look into */
export function runningGateways(
  processes: ProcessTable,
  folders: readonly string[] = [tmpdir(), '/tmp'],
): RunningGateway[] {
  return [...new Set(folders)]
    .flatMap((folder) => below(folder, /^openclaw(-\d+)?$/))
    .flatMap((folder) => below(folder, /^gateway\..*\.lock$/))
    .flatMap((lockFile) => readGateway(lockFile, processes) ?? [])
}

function readGateway(lockFile: string, processes: ProcessTable): RunningGateway | null {
  let said: z.output<typeof shape>
  try {
    said = shape.parse(JSON.parse(readFileSync(lockFile, 'utf8')))
  } catch {
    // Just being written, of another user, or not what we know; the processes themselves are examined, too.
    return null
  }
  if (!processes.isAlive(said.pid)) return null
  const started = processes.startTicks(said.pid)
  if (said.startTime !== undefined && started !== null && said.startTime !== started) return null
  const since = Date.parse(said.createdAt)
  return { pid: said.pid, since: Number.isNaN(since) ? null : since, configPath: said.configPath, lockFile }
}

function below(folder: string, name: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((entry) => name.test(entry))
      .map((entry) => path.join(folder, entry))
  } catch {
    return []
  }
}
