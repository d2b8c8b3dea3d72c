import 'server-only'
import { parseSettings } from '../config/settings'
import { nodeAt, parseSource, placeOf, type SourceProblem } from '../core/policy/source-tree'
import { getSetup } from './setup'

/**
 * What is wrong with the values of a settings file besides its policy, each at its key. Faults of the syntax are told
 * by the policy's own reader, with their line.
 */
export function settingsFaults(path: string, text: string): SourceProblem[] {
  const source = parseSource(text, path)
  if (source.problems.some((problem) => problem.severity === 'error')) return []
  const settings = parseSettings(path, text, getSetup().environment.userHome)
  if (settings.ok) return []
  return settings.problems.map((problem) => {
    const message = problem.startsWith(`${path}: `) ? problem.slice(path.length + 2) : problem
    const key = /^[\w-]+/.exec(message)?.[0] ?? ''
    const node = nodeAt(source.root, [key])
    return {
      severity: 'error',
      file: path,
      ...placeOf(text, node?.start ?? 0),
      key: node === null ? '' : key,
      message,
    }
  })
}
