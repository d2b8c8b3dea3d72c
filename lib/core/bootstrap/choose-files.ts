import type { Policy } from '../policy/policy'
import { OPTIONAL_FILES, type WorkspaceFile } from './workspace-file'

/**
 * The files that go into a system prompt, in order: the policy's names in its order, then what hooks have added,
 * as they gave it. Absent optional files are left out. Sub-agents get only the files that the policy grants them;
 * that holds for hooks' files as well.
 */
export function chooseFiles(
  files: readonly WorkspaceFile[],
  policy: Pick<Policy['bootstrap'], 'files' | 'subagentFiles'>,
  subagent = false,
): WorkspaceFile[] {
  const known = policy.files.flatMap((name) => files.find((file) => file.name === name) ?? [])
  const added = files.filter((file) => !known.includes(file))
  return [...known, ...added]
    .filter((file) => file.text !== null || file.problem !== undefined || !OPTIONAL_FILES.has(file.name))
    .filter((file) => !subagent || policy.subagentFiles.includes(file.name))
}
