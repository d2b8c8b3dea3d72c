import type { Policy } from '../policy/policy'
import type { SystemPromptReport } from '../transcript/session-index'
import type { BootstrapCaps } from './caps'
import { chooseFiles } from './choose-files'
import { shortenFile } from './shorten'
import type { WorkspaceFile } from './workspace-file'

/** One file as it goes into the prompt; sizes as runtimes report them, so that the same screens show both. */
type InjectedFile = SystemPromptReport['files'][number] & {
  readonly path: string
  readonly injectedChars: number
  readonly truncated: boolean
  /** What is in the prompt: the file, a shortened one, a note, or '' where there was no room. */
  readonly text: string
}

export type Bootstrap = {
  readonly files: readonly InjectedFile[]
  readonly caps: BootstrapCaps
  /** Characters of all texts together; never more than `caps.total`. */
  readonly chars: number
  /** What an operator should know: files cut or left out. */
  readonly warnings: readonly string[]
}

export type BootstrapInput = {
  /** The workspace's files as they are now, in any order, after the hooks (`runHooks`). */
  readonly files: readonly WorkspaceFile[]
  readonly policy: Policy['bootstrap']
  readonly caps: BootstrapCaps
  /** The session is a sub-agent's. */
  readonly subagent?: boolean
}

/**
 * Makes the workspace part of a system prompt for one run: the files in their order, each within
 * its cap and all within the total, first come first served. A missing file leaves a note in its place, as does
 * one that cannot be read. Notes and markers count against the caps; headings that a prompt puts between files do not.
 */
export function injectBootstrap(input: BootstrapInput): Bootstrap {
  const { policy, caps, subagent = false } = input
  const warnings: string[] = []
  let left = caps.total
  const files = chooseFiles(input.files, policy, subagent).map((file): InjectedFile => {
    const whole = file.text ?? noteFor(file)
    const room = Math.min(caps.perFile, left)
    // Half a note says nothing.
    const cut = file.text === null && whole.length > room ? 0 : room
    const { text, truncated } = shortenFile(file.name, whole, cut, policy)
    if (truncated) warnings.push(cutWarning(file.name, whole.length, text.length, caps, left))
    left -= text.length
    return {
      name: file.name,
      path: file.path,
      missing: file.text === null && file.problem === undefined,
      rawChars: file.text?.length ?? 0,
      injectedChars: text.length,
      truncated,
      text,
    }
  })
  return { files, caps, chars: caps.total - left, warnings }
}

function noteFor({ name, path, problem }: WorkspaceFile): string {
  return problem === undefined
    ? `[MISSING] ${name} is not in the workspace; it would be at ${path}`
    : `[UNREADABLE] ${name} at ${path} could not be read: ${problem}`
}

function cutWarning(name: string, whole: number, kept: number, caps: BootstrapCaps, left: number): string {
  const limit =
    left < caps.perFile ? `${left} left of ${caps.total} for all files` : `${caps.perFile} per file`
  return kept === 0
    ? `${name} (${whole} characters) is left out of the prompt: ${limit}.`
    : `${name} is cut from ${whole} to ${kept} characters in the prompt: ${limit}.`
}
