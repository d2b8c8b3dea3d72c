/** A workspace file as it is on disk, before any cap. */
export type WorkspaceFile = {
  /** File name, as the policy lists it (`AGENTS.md`), or the path within the workspace. */
  readonly name: string
  readonly path: string
  /** null when there is none, or none that can be read. */
  readonly text: string | null
  /** Why a file that is there could not be read. */
  readonly problem?: string
}

/**
 * Files that are no loss when absent: the first-run instructions, which agents delete when they have followed them, and
 * the memory, which a new agent does not have yet. The others are noted as missing.
 */
export const OPTIONAL_FILES: ReadonlySet<string> = new Set(['BOOTSTRAP.md', 'MEMORY.md'])
