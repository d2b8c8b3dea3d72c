import type { SpanClass } from '../../relevance/spans'
import { COMMON_NAMES, FIELDS_OF_FILES } from '../texts/common-names'
import { isUsualName } from '../texts/usual-names'

/** Modules and types of the languages' own libraries, by what joins them to their parts. */
const BY_COLONS =
  'std|core|alloc|fmt|io|fs|env|mem|thread|iter|Self|Instant|Duration|SystemTime|HashMap|HashSet|BTreeMap|BTreeSet|VecDeque|Vec|String|Option|Result|Arc|Rc|Weak|Box|Cell|RefCell|Mutex|RwLock|Condvar|Once|Ordering|AtomicU64|AtomicUsize|AtomicBool|Path|PathBuf|Cow|Default|From|Into|Iterator|PhantomData|Some|Ok|Err'
const BY_DOTS =
  // JavaScript, in browsers and in Node, and its test runners.
  'Math|Object|Array|Number|String|Boolean|Promise|JSON|Date|Symbol|Reflect|WeakMap|Intl|BigInt|Buffer|URL|document|window|' +
  'navigator|localStorage|sessionStorage|console|process|globalThis|crypto|fs|child_process|import\\.meta|React|ReactDOM|jest|vi|expect|' +
  // Python.
  'np|numpy|pd|pandas|plt|matplotlib|torch|tf|os|sys|re|datetime|logging|pathlib|subprocess|shutil|asyncio|argparse|collections|' +
  'itertools|functools|typing|unittest|pytest|dataclasses|' +
  // Java and its relatives.
  'java|javax|kotlin|System|Collections|Arrays|Objects|Optional|Collectors|Integer|Long|Double|Thread'
/** Packages of Go, whose names begin with a capital; in other languages a variable may be called so. */
const OF_GO =
  'fmt|errors|strings|strconv|bytes|bufio|context|filepath|ioutil|http|exec|sync|atomic|sort|regexp|log|slog|testing|t|b|time|' +
  'reflect|runtime|rand|utf8|sql|tls|net|big|hex|base64|sha256|json|xml|url|io|path|flag|' +
  // Not of Go itself, but everywhere by these names.
  'uuid|yaml|cobra|pflag|viper|assert|require|zap|zerolog|errgroup|semver|cmp|chi|mux|gin'
/** Names in a language's own library, or in one that goes by the same short name everywhere. */
const LIBRARY = new RegExp(`^(?:(?:${BY_COLONS})::|(?:${BY_DOTS})\\.|(?:${OF_GO})\\.[A-Z])`)

/** Properties and calls of plain words, such as `error.message`: what they are of says nothing. */
const PLAIN = /^[a-z]+(?:\.[a-z]+)+$/

/** Statements that any program may have, as they are quoted in a notebook or a script that writes another one. */
const STATEMENT =
  /^\s*(?:import|from|for|while|if|else|elif|return|def|class|const|let|var|print|echo|export|use|async|await|try|with)\b/
/** What is between two quoted texts, or the half of one: `", color("`. */
const BETWEEN = /^[\s,;:.)\]}+|&=]|[\s([{,+=\\]$/
/** Limits and times out of the head: `600000`. */
const ROUND = /^[1-9]\d?0+$/
/** Years, and ports on which servers listen by default. */
const USUAL =
  /^(?:19|20)\d\d$|^(?:3000|4000|5000|8000|8080|8443|5432|3306|6379|27017|5173|9200|11434)$|^123456\d*$/

/** What a test says of what it got, as tests of Go say it: `Name() = %q, want %q`. */
const TEST_MESSAGE = /%[a-z+#]*[a-z].*\b(?:want|got|expected)\b|\b(?:want|got|expected)\b.*%[a-z+#]*[a-z]/
/** How an error is handed on or printed, as it is written everywhere: `failed to read input: %w`, `Could not read it: ${err}`. */
const WRAPPED_ERROR =
  /: (?:%w|\$?\{(?:e|ex|exc|err|error)(?:[.!:][^{}]*)?\})$|^(?:warning: |error: )?(?:failed|cannot|can't|could not|unable|error)\b.*: %[vsq](?:\\n)?$/i
/** Fields that are picked out of an answer, and a plain word with yes or no: `{id, path, line}`, `passed: false`. */
const PICKED = /^\{ ?\w+(?:, \w+)+ ?\}$|^[a-z]+: (?:true|false|null)(?:\/(?:true|false|null))?$/
/** English words with hyphens between them: `step-by-step`, `Plimsoll-native`. */
const PHRASE =
  /^[a-z]+-(?:by|to|of|in|the|a|and|or|on|for|up|at)(?:-[a-z]+)+$|^\w+-(?:native|based|only|aware|specific|like|style|level|side|wide|free|safe|driven|friendly|agnostic|compatible|related|facing|first|oriented|ready)$/
/** Names that a program takes from a package that is not the project's: their module has no folder. */
const IMPORTS = /\bimport (?:type )?\{([^{}]{1,400})\} from ['"](?:node:[\w/]+|[a-z][\w-]*)['"]/g

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

  /** What a text imports from packages is known from them. */
  learnImports(text: string): void {
    if (!text.includes('import ')) return
    for (const [, names = ''] of text.matchAll(IMPORTS))
      for (const [name] of names.matchAll(/[\w$]{6,}/g)) this.#own.add(name)
  }

  has(text: string, kind: SpanClass): boolean {
    if (COMMON_NAMES.has(text) || FIELDS_OF_FILES.has(text) || this.#own.has(text)) return true
    if (kind === 'number') return ROUND.test(text) || USUAL.test(text)
    if (kind === 'identifier')
      return LIBRARY.test(text) || PLAIN.test(text) || PHRASE.test(text) || isField(text) || isUsualName(text)
    return (
      kind === 'quoted' &&
      [BETWEEN, STATEMENT, TEST_MESSAGE, WRAPPED_ERROR, PICKED].some((pattern) => pattern.test(text))
    )
  }
}

/** Whether a name is a well-known field of something: `p.packageManager`. */
function isField(name: string): boolean {
  const dot = name.lastIndexOf('.')
  return dot > 0 && FIELDS_OF_FILES.has(name.slice(dot + 1))
}
