import { join } from 'node:path'
import * as z from 'zod'
import { NO_STORED_TASKS, type StoredTasks, type TaskStore } from '../../agent/task-store'
import { TASK_STATES } from '../../core/memory/task'
import { newestSessionFiles, readJsonFile, replaceJson, sessionFile } from './session-file'

const time = z.number()
const texts = z.array(z.string())

const fileSchema = z.object({
  session: z.string(),
  tree: z.object({
    tasks: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        parent: z.string().nullable(),
        state: z.enum(TASK_STATES),
        priority: z.number(),
        dependencies: texts,
        result: z.object({ summary: z.string(), artifacts: texts, at: time }).nullable(),
        createdAt: time,
        updatedAt: time,
      }),
    ),
  }),
  marks: z.record(z.string(), z.object({ count: z.number().int().min(0), key: z.string() })),
  recalled: z.record(z.string(), texts),
})

/** The tasks of one session, and whose they are. */
export type SessionTasks = StoredTasks & { readonly session: string }

/** Below a memory folder. */
const FOLDER = 'tasks'

/**
 * Tasks of sessions, one JSON file for each below a folder that only its owner can read.
 *
 * @example
 * ```ts
 * import { taskFolder } from 'plimsoll-agent'
 *
 * const store = taskFolder('workspace/memory/context')
 * ```
 */
export function taskFolder(memory: string): TaskStore {
  const folder = join(memory, FOLDER)
  return {
    load: async (session) => {
      const path = sessionFile(folder, session)
      const value = await readJsonFile(path)
      if (value === null) return NO_STORED_TASKS
      const read = fileSchema.safeParse(value)
      if (read.success) return read.data
      throw new Error(
        `${path} does not hold the tasks of ${session}; move it away to begin anew: ${value === undefined ? 'it is no JSON' : flawOf(read.error)}`,
      )
    },
    save: (session, tasks) => replaceJson(folder, sessionFile(folder, session), { session, ...tasks }),
  }
}

/** The tasks of sessions in a memory folder, those written last first; files that cannot be used are reported. */
export async function listTasks(
  memory: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{
  readonly sessions: readonly SessionTasks[]
  readonly problems: readonly string[]
  /** Sessions with tasks, those that were not read included. */
  readonly total: number
}> {
  const sessions: SessionTasks[] = []
  const problems: string[] = []
  const { paths, total } = await newestSessionFiles(join(memory, FOLDER), most)
  for (const path of paths) {
    const value = await readJsonFile(path)
    const read = fileSchema.safeParse(value)
    if (read.success) sessions.push(read.data)
    else
      problems.push(
        `${path} holds no tasks and is left out: ${value === undefined ? 'it is no JSON' : flawOf(read.error)}. Move it away if it is not needed.`,
      )
  }
  return { sessions, problems, total }
}

/** Where a file is not as it should be, and how. */
function flawOf({ issues }: z.ZodError): string {
  const [first] = issues
  return first === undefined ? '' : `${first.path.join('.') || 'it'}: ${first.message}`
}
