import { reasonOf } from '../words/reason-of'
import type { WorkspaceFile } from './workspace-file'

/**
 * May add, change or take away files before they are put in: gets copies and returns the list that shall be, or
 * nothing for no change; or a promise of that. The answer is not trusted.
 */
export type BootstrapHook = (files: readonly WorkspaceFile[]) => unknown

export type HookedFiles = { readonly files: readonly WorkspaceFile[]; readonly warnings: readonly string[] }

/**
 * Runs the hooks of plugins one after the other, and waits for each. A hook that throws, rejects or answers nonsense
 * changes nothing, and an entry without name or path is left out: both with a warning, never at the price of the run.
 */
export async function runHooks(
  files: readonly WorkspaceFile[],
  hooks: readonly BootstrapHook[],
): Promise<HookedFiles> {
  let current = files
  const warnings: string[] = []
  for (const [at, hook] of hooks.entries()) {
    const name = hook.name === '' ? `bootstrap hook ${at + 1}` : `bootstrap hook ${hook.name}`
    try {
      const answer = await hook(current.map((file) => ({ ...file })))
      if (Array.isArray(answer)) current = acceptFiles(answer, name, warnings)
      else if (answer !== undefined)
        warnings.push(`${name} returned no list of files; its changes are left out.`)
    } catch (error) {
      warnings.push(`${name} failed: ${reasonOf(error)}`)
    }
  }
  return { files: current, warnings }
}

function acceptFiles(answer: readonly unknown[], hook: string, warnings: string[]): WorkspaceFile[] {
  return answer.flatMap((entry, at) => {
    const { name, path, text, problem } = fieldsOf(entry)
    if (typeof name === 'string' && name !== '' && typeof path === 'string' && path !== '') {
      const file = { name, path, text: typeof text === 'string' ? text : null }
      return [typeof problem === 'string' ? { ...file, problem } : file]
    }
    warnings.push(`${hook}: entry ${at + 1} has no name or no path and is left out.`)
    return []
  })
}

function fieldsOf(entry: unknown): { readonly [key: string]: unknown } {
  return typeof entry === 'object' && entry !== null ? { ...entry } : {}
}
