import { createPatch } from 'diff'
import { maskSecrets } from '../../core/redaction/secrets'

/** Lines around a change. */
const CONTEXT_LINES = 2

/** A change of a settings file as a patch; credentials in the lines around it are covered. */
export function settingDiff(file: string, before: string, after: string): string {
  return maskSecrets(createPatch(file, before, after, '', '', { context: CONTEXT_LINES }))
}

/** Its lines for a reader, without what only programs need. */
export function patchLines(patch: string): readonly string[] {
  return patch.split('\n').filter((line) => line !== '' && !/^(?:Index: |=+$|\\ No newline)/.test(line))
}
