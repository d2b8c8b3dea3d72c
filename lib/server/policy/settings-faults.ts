import 'server-only'
import { settingsProblems } from '../../compose/settings-problems'
import type { SyntaxProblem } from '../../core/policy/source-tree'
import { getSetup } from '../process/setup'

/** What is wrong with the values of a settings file besides its policy, so that they have their defaults. */
export function settingsFaults(path: string, text: string): SyntaxProblem[] {
  return settingsProblems(path, text, getSetup().environment.userHome).filter(
    ({ severity }) => severity === 'error',
  )
}
