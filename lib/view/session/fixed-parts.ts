import type { Category } from '../../core/tokens/category'
import type { SystemPromptReport } from '../../core/transcript/session-index'
import type { Tokens } from '../../core/units/units'
import { apportion } from './apportion'

/** One named piece of the part that is before the conversation. */
type FixedPiece = {
  readonly name: string
  /** As the runtime reported it, in characters. */
  readonly chars: number
  /** Its portion of what the frame gives to its category, in tokens. */
  readonly tokens: Tokens
  /** `cut 8 120 of 20 004 chars`-like facts: what the model did not get of it. */
  readonly truncated: boolean
  readonly missing: boolean
  /** Characters of the file on disk, when the runtime injected fewer; else null. */
  readonly rawChars: number | null
}

export type FixedGroup = {
  readonly category: Category
  readonly pieces: readonly FixedPiece[]
}

/**
 * The fixed part, piece by piece: bootstrap files, skills and tool schemas as the runtime's report lists them. The
 * report counts characters; the tokens of a category are divided among its pieces in proportion to these.
 * @param tokensOf what the frame gives to a category
 */
export function fixedPieces(
  report: SystemPromptReport,
  tokensOf: (category: Category) => number,
): FixedGroup[] {
  const groups: FixedGroup[] = [
    group(
      'bootstrap-file',
      report.files.map((file) => ({
        name: file.name,
        chars: file.injectedChars ?? (file.missing ? 0 : file.rawChars),
        truncated: file.truncated === true,
        missing: file.missing,
        rawChars: file.truncated === true ? file.rawChars : null,
      })),
      tokensOf('bootstrap-file'),
    ),
    group(
      'skills',
      report.skills.map((skill) => plain(skill.name, skill.chars)),
      tokensOf('skills'),
    ),
    group(
      'tool-schemas',
      report.tools.map((tool) => plain(tool.name, tool.schemaChars)),
      tokensOf('tool-schemas'),
    ),
  ]
  return groups.filter((g) => g.pieces.length > 0)
}

type Unsized = Omit<FixedPiece, 'tokens'>

function plain(name: string, chars: number): Unsized {
  return { name, chars, truncated: false, missing: false, rawChars: null }
}

function group(category: Category, pieces: readonly Unsized[], tokens: Tokens): FixedGroup {
  const parts = apportion(
    tokens,
    pieces.map((piece) => piece.chars),
  )
  const sized = pieces.map((piece, index) => ({ ...piece, tokens: parts[index] ?? 0 }))
  return { category, pieces: sized.sort((a, b) => b.tokens - a.tokens || a.name.localeCompare(b.name)) }
}
