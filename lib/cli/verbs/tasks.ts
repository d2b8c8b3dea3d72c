import { readAgentMemories } from '../../compose/memory'
import { maskedLine, type TaskLine, taskLines, taskSums } from '../../view/memory/task-lines'
import { formatCount } from '../../view/text/format'
import { setupOrFail } from '../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { timeJson } from '../print/figure-json'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

export type TasksOptions = {
  readonly json?: boolean
  /** Session key, or the unique beginning of one. */
  readonly session?: string
  /** End with 1 when tasks wait for each other. */
  readonly check?: boolean
}

/** Lists the tasks of agents as trees, and says which wait for each other. */
export async function tasks(io: Io, { json, session, check }: TasksOptions): Promise<ExitCode> {
  const { tasks: all, folders, problems } = await readAgentMemories(setupOrFail(io), { events: 0 })
  const chosen = session === undefined ? all : all.filter((one) => one.session.startsWith(session))
  if (session !== undefined && chosen.length === 0)
    throw new CliError(EXIT.usage, `No session whose name begins with ${JSON.stringify(session)} has tasks.`)
  const trees = chosen.map((one) => ({ session: one.session, lines: taskLines(one.tree).map(maskedLine) }))
  for (const problem of problems) await note(io, problem)
  const rings = trees.reduce((sum, { lines }) => sum + taskSums(lines).rings, 0)
  const exit = check && rings > 0 ? EXIT.no : EXIT.done
  if (json) {
    const sessions = trees.map(({ session: name, lines }) => ({
      session: name,
      ...taskSums(lines),
      tasks: lines.map(lineJson),
    }))
    await writeJson(io, { sessions, folders, problems })
    return exit
  }
  if (trees.length === 0) {
    await write(
      io.stdout,
      `No agent keeps tasks. Looked in:\n${folders.map((folder) => `  ${toTerminal(folder)}\n`).join('')}`,
    )
    return exit
  }
  for (const { session: name, lines } of trees) await write(io.stdout, treeText(name, lines))
  return exit
}

function treeText(session: string, lines: readonly TaskLine[]): string {
  const { total, done, rings } = taskSums(lines)
  const head = `${toTerminal(session)}: ${formatCount(done)} of ${formatCount(total)} done\n`
  const table = renderTable(lines, [
    { title: 'TASK', cell: ({ id, depth }) => `${'  '.repeat(Math.min(depth, 10))}${id}`, max: 40 },
    { title: 'STATE', cell: ({ state }) => state },
    { title: 'TITLE', cell: ({ title }) => title, max: 50 },
    {
      title: 'WAITS FOR',
      cell: ({ waits }) => waits.map(({ id, why }) => `${id} (${why})`).join(', '),
      max: 40,
    },
    { title: 'CAME TO', cell: ({ summary }) => summary ?? '', max: 60 },
  ])
  const [ring] = lines.flatMap((line) => (line.ring.length === 0 ? [] : [line.ring]))
  const waiting =
    ring === undefined
      ? ''
      : `${formatCount(rings)} ring${rings === 1 ? '' : 's'} of tasks that wait for each other, e.g. ${toTerminal([...ring, ring[0]].join(' → '))}\n`
  return `${head}${table}${waiting}\n`
}

function lineJson({ updatedAt, ...line }: TaskLine) {
  return { ...line, updatedAt: timeJson(updatedAt) }
}
