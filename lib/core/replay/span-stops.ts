import type { SpanClass } from '../relevance/spans'

/** Names that every session of a kind of work has: of languages and their libraries. They come from no memory. */
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
  'PartialEq',
  'PartialOrd',
  'HashMap',
  'HashSet',
  'VecDeque',
  'PhantomData',
  'node_modules',
  '/dev/null',
  '/bin/bash',
  '/bin/sh',
  '/usr/bin/env',
  '/tmp',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  'index.ts',
  'index.js',
  'index.html',
  'Cargo.toml',
  'Cargo.lock',
  'mod.rs',
  'lib.rs',
  'main.rs',
  'src/lib.rs',
  'src/main.rs',
  'src/index.ts',
  'main.py',
  '__init__.py',
  'setup.py',
  'pyproject.toml',
  'requirements.txt',
  'go.mod',
  'main.go',
  '.gitignore',
  '.env',
])

/** Names in a language's own library, or in one that goes by the same short name everywhere. */
const LIBRARY =
  /^(?:std::|core::|alloc::|(?:Instant|Duration|HashMap|Vec|String|Option|Result|Arc|Rc|Box|Mutex|PathBuf)::|java\.|javax\.|np\.|numpy\.|pd\.|pandas\.|plt\.|matplotlib\.|torch\.|tf\.|os\.path\.|System\.|Math\.|Object\.|Array\.|Number\.|String\.|Promise\.|JSON\.|Date\.|Symbol\.|Reflect\.|document\.|window\.)/

/** Properties and calls of plain words, such as `error.message`: what they are of says nothing. */
const PLAIN = /^[a-z]+(?:\.[a-z]+)+$/

/** Statements that any program may have, as they are quoted in a notebook or a script that writes another one. */
const STATEMENT =
  /^\s*(?:import|from|for|while|if|else|elif|return|def|class|const|let|var|print|echo|export|use|async|await|try|with)\b/
/** What is between two quoted texts, or the half of one: `", color("`. */
const BETWEEN = /^[\s,;:.)\]}+|&=]|[\s([{,+=\\]$/
/** Limits and times out of the head: `600000`. */
const ROUND = /^(?:[A-Za-z][\w-]* )?[1-9]\d?0+$/

/** Spans of a session that are no memory of it: its tools, the fields of their arguments, what every program has. */
export class SpanStops {
  readonly #own = new Set<string>()

  /** @param cwd the folder that is worked in, which every prompt names */
  constructor(cwd: string | null) {
    if (cwd !== null) this.#own.add(cwd)
  }

  /** A call was made: its tool and its fields are known from the list of tools. */
  learn(tool: string, fields: Iterable<string>): void {
    this.#own.add(tool)
    for (const field of fields) this.#own.add(field)
  }

  has(text: string, kind: SpanClass): boolean {
    if (COMMON_NAMES.has(text) || this.#own.has(text)) return true
    if (kind === 'number') return ROUND.test(text)
    if (kind === 'identifier') return LIBRARY.test(text) || PLAIN.test(text)
    return kind === 'quoted' && (BETWEEN.test(text) || STATEMENT.test(text))
  }
}
