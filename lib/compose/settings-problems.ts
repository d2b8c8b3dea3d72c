import { parseSettings } from '../config/settings'
import { lineAndColumn, nodeAt, parseSource, type SyntaxProblem } from '../core/policy/source-tree'

/**
 * What is wrong with the values of a settings file besides its policy, each at its key; keys that are no settings are
 * warnings. Faults of the syntax are reported by the policy's reader, with their line.
 */
export function settingsProblems(path: string, text: string, userHome: string): SyntaxProblem[] {
  const source = parseSource(text, path)
  if (source.problems.some((problem) => problem.severity === 'error')) return []
  const settings = parseSettings(path, text, userHome)
  const found = settings.ok ? settings.warnings : settings.problems
  return found.map((problem): SyntaxProblem => {
    const message = problem.startsWith(`${path}: `) ? problem.slice(path.length + 2) : problem
    const key = /^[\w-]+/.exec(message)?.[0] ?? ''
    const node = nodeAt(source.root, [key])
    return {
      severity: settings.ok ? 'warning' : 'error',
      file: path,
      ...lineAndColumn(text, node?.start ?? 0),
      key: node === null ? '' : key,
      // A problem is shown behind its key.
      message: node === null || !message.startsWith(`${key} `) ? message : message.slice(key.length + 1),
    }
  })
}
