import { CST, Lexer } from 'yaml'

/** Marks of the lexer that have no width: the next token is a scalar, a document begins, a group ended by its indent. */
const SCALAR_FOLLOWS = '\u001f'
const DOCUMENT = '\u0002'
const GROUP_GIVEN_UP = '\u0018'

/** Texts, names and brackets for each mark that parts them: a configuration has about one. */
const MOST_PER_MARK = 3
/** How many more a file may have all the same: the parser takes time by the square of what it does not expect. */
const MOST_UNEXPECTED = 500

/** What the lexer alone finds in a YAML text. */
export type YamlShape = {
  /** How deep maps and lists are inside one another: between half and twice of what it is. */
  readonly nesting: number
  /** Offset from which on the text is no configuration; null when it may be one throughout. */
  readonly unexpectedAt: number | null
}

/**
 * Looks over a YAML text by the lexer, which is linear and does not call itself. The parser calls itself for each level,
 * and where the stack ends inside a regular expression, the process ends; and it takes minutes for brackets without end.
 */
export function yamlShape(text: string): YamlShape {
  const depth = new YamlDepth()
  let isScalar = false
  let offset = 0
  let parts = 0
  let marks = 0
  for (const token of new Lexer().lex(text)) {
    if (token === SCALAR_FOLLOWS) {
      isScalar = true
      continue
    }
    if (token === GROUP_GIVEN_UP) depth.giveUpGroups()
    if (token === GROUP_GIVEN_UP || token === DOCUMENT) continue
    const type = isScalar ? 'scalar' : CST.tokenType(token)
    const isStray = isClosing(type) && depth.innermost !== type
    if (MARKS.has(type ?? '')) marks += 1
    else if (!BLANKS.has(type ?? '')) parts += 1
    if (isStray || parts > MOST_PER_MARK * marks + MOST_UNEXPECTED) {
      return { nesting: depth.deepest, unexpectedAt: offset }
    }
    if (isScalar) depth.scalar(token)
    else depth.token(token)
    isScalar = false
    offset += token.length
  }
  return { nesting: depth.deepest, unexpectedAt: null }
}

/** What parts one text from the next. */
const MARKS = new Set(['comma', 'seq-item-ind', 'explicit-key-ind', 'map-value-ind'])
const BLANKS = new Set(['space', 'newline', 'comment', 'byte-order-mark'])

function isClosing(type: CST.TokenType | null): boolean {
  return type === 'flow-seq-end' || type === 'flow-map-end'
}

/** Follows the tokens of a YAML text, line by line. */
class YamlDepth {
  deepest = 0
  /** Lines that hold the present one: where each begins, and how many levels it opens. */
  private readonly holders: { readonly column: number; readonly levels: number }[] = []
  private held = 0
  /** Blanks before the first token of the line; behind it they mean nothing. */
  private column = 0
  /** Where the first token of the line begins; null as long as there is none. */
  private first: number | null = null
  /** Levels that the line opens outside of groups. */
  private opened = 0
  /** What closes each group in brackets and braces that is open, the innermost last. */
  private readonly closings: CST.TokenType[] = []
  /** Marks of a group that follow one another without anything between. */
  private run = 0

  /** What closes the innermost group that is open. */
  get innermost(): CST.TokenType | undefined {
    return this.closings.at(-1)
  }

  private get groups(): number {
    return this.closings.length
  }

  token(token: string): void {
    switch (CST.tokenType(token)) {
      case 'newline':
        this.endLine()
        return
      case 'space':
        this.column += token.length
        return
      // A comment holds nothing and ends nothing, wherever its line begins.
      case 'comment':
        return
      case 'flow-seq-start':
      case 'flow-map-start':
        this.begin()
        this.closings.push(token === '[' ? 'flow-seq-end' : 'flow-map-end')
        break
      case 'flow-seq-end':
      case 'flow-map-end':
        this.closings.pop()
        this.run = 0
        break
      case 'comma':
        this.run = 0
        break
      case 'seq-item-ind':
      case 'explicit-key-ind':
      case 'map-value-ind':
        this.begin()
        if (this.groups > 0) this.run += 1
        else this.opened += 1
        break
      default:
        this.begin()
    }
    this.measure()
  }

  scalar(token: string): void {
    // What is below `|` or `>` begins with the blanks of its first line, or is nothing. Its lines are a part of the line
    // above, and the next token begins a line.
    if (!/^\S/.test(token)) return
    this.begin()
    this.run = 0
  }

  giveUpGroups(): void {
    this.closings.length = 0
    this.run = 0
  }

  /** The first token of a line says which lines before hold it. */
  private begin(): void {
    if (this.first !== null) return
    this.first = this.column
    for (;;) {
      const last = this.holders.at(-1)
      if (last === undefined || last.column < this.column) return
      this.held -= last.levels
      this.holders.pop()
    }
  }

  private endLine(): void {
    if (this.first !== null) {
      this.holders.push({ column: this.first, levels: this.opened })
      this.held += this.opened
    }
    this.column = 0
    this.first = null
    this.opened = 0
  }

  private measure(): void {
    this.deepest = Math.max(this.deepest, this.held + this.opened + this.groups + Math.max(0, this.run - 1))
  }
}

/** Texts and comments of JSON5, in which brackets mean nothing; then brackets. */
const JSON5_PART = /"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|\/\/[^\n\r\u2028\u2029]*|\/\*|[[\]{}]/g

/** How deep objects and arrays of a JSON5 text are inside one another. */
export function json5Nesting(text: string): number {
  let depth = 0
  let deepest = 0
  JSON5_PART.lastIndex = 0
  for (let found = JSON5_PART.exec(text); found !== null; found = JSON5_PART.exec(text)) {
    const [part] = found
    if (part === '[' || part === '{') deepest = Math.max(deepest, ++depth)
    else if (part === ']' || part === '}') depth = Math.max(0, depth - 1)
    else if (part === '/*') {
      const end = text.indexOf('*/', JSON5_PART.lastIndex)
      if (end < 0) return deepest
      JSON5_PART.lastIndex = end + 2
    }
  }
  return deepest
}
