import { maskSecrets } from '../../core/redaction/secrets'
import { visibleLine } from './visible-text'

/** A text of others on one line: credentials covered, hidden characters named. */
export function shownText(text: string): string {
  return visibleLine(maskSecrets(text))
}

/** The same for what may be unknown. */
export function shownOrNull(text: string | null): string | null {
  return text === null ? null : shownText(text)
}
