/** Names that every session of a kind of work has: of languages and their libraries. They are nobody's memory. */
const COMMON_NAMES: ReadonlySet<string> = new Set([
  'console.log',
  'console.error',
  'console.warn',
  'process.env',
  'process.exit',
  'process.argv',
  'JSON.stringify',
  'JSON.parse',
  'Object.keys',
  'Object.entries',
  'Object.values',
  'Object.assign',
  'Array.isArray',
  'Array.from',
  'Math.max',
  'Math.min',
  'Math.floor',
  'Math.round',
  'Promise.all',
  'Promise.resolve',
  'Date.now',
  'module.exports',
  'React.useState',
  'useState',
  'useEffect',
  'useMemo',
  'useCallback',
  'className',
  'onClick',
  'onChange',
  'toString',
  'instanceof',
  'innerHTML',
  'addEventListener',
  'document.getElementById',
  'querySelector',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  '__init__',
  '__main__',
  '__name__',
  'os.path',
  'os.environ',
  'sys.argv',
  'sys.exit',
  'self.assertEqual',
  'fmt.Println',
  'fmt.Sprintf',
  'fmt.Errorf',
  'std::string',
  'std::vector',
  'String::from',
  'println',
  'node_modules',
  '/dev/null',
  '/bin/bash',
  '/bin/sh',
  '/usr/bin/env',
  '/tmp',
  'package.json',
])

/** Spans of a session that are no memory of it: its tools, the fields of their arguments, what every program has. */
export class SpanStops {
  readonly #own = new Set<string>()

  /** A call was made: its tool and its fields are known from the list of tools. */
  learn(tool: string, fields: Iterable<string>): void {
    this.#own.add(tool)
    for (const field of fields) this.#own.add(field)
  }

  has(text: string): boolean {
    return COMMON_NAMES.has(text) || this.#own.has(text)
  }
}
