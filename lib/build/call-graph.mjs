// @ts-check
// Which function calls which, as the type checker sees it. The graph is made as it is walked: a file that no call leads
// to is never looked at.
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { SyntaxKind as K } from 'typescript/unstable/ast'
import { API, SignatureKind } from 'typescript/unstable/sync'

/** @typedef {import('typescript/unstable/ast').Node} Node */
/** @typedef {import('typescript/unstable/sync').Symbol} TypeSymbol */
/** @typedef {import('typescript/unstable/sync').NodeHandle} NodeHandle */
/**
 * A function, method or constant of a file; `key` is its own, `label` what a reader calls it by.
 * @typedef {{ readonly key: string, readonly file: string, readonly label: string, readonly node: Node }} Place
 */

const FUNCTIONS = new Set([K.FunctionDeclaration, K.FunctionExpression, K.ArrowFunction])
const MEMBERS = new Set([
  K.MethodDeclaration,
  K.PropertyDeclaration,
  K.PropertyAssignment,
  K.GetAccessor,
  K.SetAccessor,
  K.Constructor,
])
const PROMISES = new Set([K.MethodSignature, K.PropertySignature])
const TYPES = new Set([
  K.TypeReference,
  K.TypeLiteral,
  K.TypeAliasDeclaration,
  K.InterfaceDeclaration,
  K.ImportDeclaration,
  K.ExportDeclaration,
  K.TypeQuery,
])

/** Calls of one checkout, by the checker. `close` ends its process. */
export class CallGraph {
  /** @type {Map<string, readonly Place[]>} */
  #calls = new Map()
  /** @type {Map<string, readonly Place[]>} */
  #implementations = new Map()
  /** @type {Map<string, string>} */
  #texts = new Map()

  /** @param {string} root @param {readonly string[]} files sources that may be on a way, relative to the root */
  constructor(root, files) {
    this.root = root
    this.files = files
    this.api = new API({ cwd: root })
    const snapshot = this.api.updateSnapshot({ openProject: join(root, 'tsconfig.json') })
    const [project] = snapshot.getProjects()
    if (project === undefined) throw new Error('tsconfig.json names no project')
    this.project = project
    this.checker = project.checker
  }

  close() {
    this.api.close()
  }

  /**
   * A function, class or constant of a file, or a member of one, as `name` or `name.member`.
   * @param {string} file @param {string} path
   * @returns {Place}
   */
  find(file, path) {
    const [name, member] = path.split('.')
    const within = descendants(this.#source(file)).find((node) =>
      isDeclaration(node) && member === undefined
        ? nameOf(node) === name && holderOf(node) === undefined
        : nameOf(node) === member && MEMBERS.has(node.kind) && holderOf(node) === name,
    )
    if (within === undefined) throw new Error(`${file} has no ${path}: hops are counted from and to it`)
    return this.#placeOf(within)
  }

  /**
   * What a place calls, hands on to be called, or draws.
   * @param {Place} place
   * @returns {readonly Place[]}
   */
  callsOf(place) {
    const known = this.#calls.get(place.key)
    if (known !== undefined) return known
    /** @type {Map<string, Place>} */
    const calls = new Map()
    const names = namesIn(place.node)
    const symbols = names.length === 0 ? [] : this.checker.getSymbolAtLocation(names)
    for (const [i, name] of names.entries()) {
      for (const target of this.#targets(name, symbols[i])) {
        if (target.key !== place.key) calls.set(target.key, target)
      }
    }
    if (place.node.kind === K.ClassDeclaration) {
      // To make one is to run its constructor and what its fields begin with.
      place.node.forEachChild((member) => {
        if (member.kind === K.Constructor || member.kind === K.PropertyDeclaration) {
          const made = this.#placeOf(member)
          calls.set(made.key, made)
        }
      })
    }
    const all = [...calls.values()]
    this.#calls.set(place.key, all)
    return all
  }

  /** @param {Node} name @param {TypeSymbol | undefined} symbol @returns {readonly Place[]} */
  #targets(name, symbol) {
    if (symbol === undefined) return []
    let real = symbol
    for (let i = 0; i < 5; i++) {
      const next = isAlias(real) ? this.checker.getAliasedSymbol(real) : undefined
      if (next === undefined || next.id === real.id) break
      real = next
    }
    if (name.parent.kind === K.ShorthandPropertyAssignment) {
      const value = this.checker.getShorthandAssignmentValueSymbol(name.parent)
      return value === undefined ? [] : this.#targets(SELF, value)
    }
    return (real.declarations ?? []).flatMap((handle) => this.#ofDeclaration(handle, real))
  }

  /** @param {NodeHandle} handle @param {TypeSymbol} symbol @returns {readonly Place[]} */
  #ofDeclaration(handle, symbol) {
    if (this.#fileOf(handle) === null) return []
    if (PROMISES.has(handle.kind)) return this.#implementationsOf(handle, symbol.name)
    if (handle.kind === K.Parameter || handle.kind === K.TypeAliasDeclaration) return []
    const node = handle.resolve(this.project)
    if (node === undefined) return []
    if (node.kind === K.BindingElement) return this.#ofBinding(node)
    if (node.kind === K.ShorthandPropertyAssignment) return this.#targets(child(node, K.Identifier), symbol)
    if (node.kind === K.PropertyAssignment) return this.#ofProperty(node)
    return isDeclaration(node) && (isReachable(node) || isFunction(node)) ? [this.#placeOf(node)] : []
  }

  /** A name that is taken out of an object: what the object has under it. @param {Node} node @returns {readonly Place[]} */
  #ofBinding(node) {
    const type = this.checker.getTypeAtLocation(node.parent)
    const wanted = /** @type {any} */ (node).propertyName ?? /** @type {any} */ (node).name
    if (type === undefined || wanted?.kind !== K.Identifier) return []
    const property = this.checker.getPropertyOfType(type, wanted.text)
    return (property?.declarations ?? []).flatMap((handle) =>
      property === undefined || handle.kind === K.BindingElement ? [] : this.#ofDeclaration(handle, property),
    )
  }

  /** A property that only names a function is that function. @param {Node} node @returns {readonly Place[]} */
  #ofProperty(node) {
    const value = /** @type {any} */ (node).initializer
    if (value?.kind !== K.Identifier) return [this.#placeOf(node)]
    const symbol = this.checker.getSymbolAtLocation(/** @type {Node} */ (value))
    return this.#targets(value, symbol)
  }

  /**
   * What fulfils a member of an interface: members of objects that are given where it is asked for, and of classes.
   * @param {NodeHandle} promise @param {string} name
   * @returns {readonly Place[]}
   */
  #implementationsOf(promise, name) {
    const key = `${promise.path}#${promise.index}`
    const known = this.#implementations.get(key)
    if (known !== undefined) return known
    this.#implementations.set(key, [])
    const asked = promise.resolve(this.project)
    if (asked === undefined || !this.#isCallable(asked)) return []
    /** @type {Map<string, Place>} */
    const found = new Map()
    const word = new RegExp(`\\b${name}\\b`)
    for (const file of this.files) {
      if (!word.test(this.#textOf(file))) continue
      for (const node of descendants(this.#source(file))) {
        if (nameOf(node) !== name || !this.#fulfils(node, name, promise)) continue
        for (const place of this.#placesOfMember(node)) found.set(place.key, place)
      }
    }
    const all = [...found.values()]
    this.#implementations.set(key, all)
    return all
  }

  /** @param {Node} node */
  #isCallable(node) {
    if (node.kind === K.MethodSignature) return true
    const type = this.checker.getTypeAtLocation(node)
    const given = type && (this.checker.getNonNullableType(type) ?? type)
    return given !== undefined && this.checker.getSignaturesOfType(given, SignatureKind.Call).length > 0
  }

  /** @param {Node} node @param {string} name @param {NodeHandle} promise */
  #fulfils(node, name, promise) {
    const holder = node.parent
    if (holder.kind === K.ObjectLiteralExpression || holder.kind === K.JsxAttributes) {
      const type = this.checker.getContextualType(/** @type {any} */ (holder))
      return type !== undefined && this.#has(this.checker.getNonNullableType(type) ?? type, name, promise)
    }
    if (holder.kind !== K.ClassDeclaration || !MEMBERS.has(node.kind)) return false
    const clauses = /** @type {any} */ (holder).heritageClauses ?? []
    for (const clause of clauses) {
      for (const named of clause.types) {
        const type = this.checker.getTypeAtLocation(named)
        if (type !== undefined && this.#has(type, name, promise)) return true
      }
    }
    // A class need not say what it fulfils.
    const signature = promise.resolve(this.project)
    const wanted = signature && this.checker.getTypeAtLocation(signature.parent)
    const own = this.checker.getTypeAtLocation(holder)
    return wanted !== undefined && own !== undefined && this.checker.isTypeAssignableTo(own, wanted)
  }

  /** @param {import('typescript/unstable/sync').Type} type @param {string} name @param {NodeHandle} promise */
  #has(type, name, promise) {
    const property = this.checker.getPropertyOfType(type, name)
    return (property?.declarations ?? []).some(
      ({ path, index }) => path === promise.path && index === promise.index,
    )
  }

  /** @param {Node} node @returns {readonly Place[]} */
  #placesOfMember(node) {
    if (node.kind === K.ShorthandPropertyAssignment) {
      const value = this.checker.getShorthandAssignmentValueSymbol(node)
      return value === undefined ? [] : this.#targets(SELF, value)
    }
    return node.kind === K.PropertyAssignment ? this.#ofProperty(node) : [this.#placeOf(node)]
  }

  /** @param {Node} node @returns {Place} */
  #placeOf(node) {
    const file = this.#relative(node.getSourceFile().fileName)
    const holder = holderOf(node)
    const name = node.kind === K.Constructor ? 'constructor' : (nameOf(node) ?? '?')
    const label = holder === undefined ? name : `${holder}.${name}`
    return { key: `${file}#${node.pos}`, file, label, node }
  }

  /** @param {NodeHandle} handle */
  #fileOf(handle) {
    const file = this.#relative(handle.path)
    return file.startsWith('..') || file.startsWith('node_modules') || file.startsWith('bundled:')
      ? null
      : file
  }

  /** @param {string} path */
  #relative(path) {
    return relative(this.root, path).split(sep).join('/')
  }

  /** @param {string} file */
  #source(file) {
    const source = this.project.program.getSourceFile(join(this.root, file))
    if (source === undefined) throw new Error(`${file} is not in the project of tsconfig.json`)
    return /** @type {Node} */ (/** @type {unknown} */ (source))
  }

  /** @param {string} file */
  #textOf(file) {
    const known = this.#texts.get(file)
    if (known !== undefined) return known
    const text = readFileSync(join(this.root, file), 'utf8')
    this.#texts.set(file, text)
    return text
  }
}

/** Stands for a name that is not written as a shorthand. */
const SELF = /** @type {Node} */ (/** @type {unknown} */ ({ parent: { kind: K.Unknown } }))

/** `SymbolFlags.Alias`. @param {TypeSymbol} symbol */
const isAlias = (symbol) => (symbol.flags & 2097152) !== 0

/** @param {Node} node @returns {string | undefined} */
function nameOf(node) {
  const name = /** @type {any} */ (node).name
  return name === undefined ? undefined : (name.text ?? undefined)
}

/** @param {Node} node @param {number} kind @returns {Node} */
function child(node, kind) {
  const found = descendants(node).find((one) => one.kind === kind)
  if (found === undefined) throw new Error('A node lacks what its kind has')
  return found
}

/** @param {Node} node */
function isDeclaration(node) {
  return (
    node.kind === K.FunctionDeclaration ||
    node.kind === K.ClassDeclaration ||
    node.kind === K.VariableDeclaration ||
    MEMBERS.has(node.kind)
  )
}

/** @param {Node} node */
function isFunction(node) {
  return node.kind === K.FunctionDeclaration || FUNCTIONS.has(/** @type {any} */ (node).initializer?.kind)
}

/** What can be called from elsewhere: a member, or what a file declares outside of all functions. @param {Node} node */
function isReachable(node) {
  if (MEMBERS.has(node.kind)) return true
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (FUNCTIONS.has(at.kind) || MEMBERS.has(at.kind)) return false
  }
  return true
}

/** @param {Node} node @returns {string | undefined} */
function holderOf(node) {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (isDeclaration(at) && nameOf(at) !== undefined) return nameOf(at)
  }
  return undefined
}

/** @param {Node} from @returns {Node[]} */
function descendants(from) {
  /** @type {Node[]} */
  const all = []
  const visit = (/** @type {Node} */ node) => {
    all.push(node)
    node.forEachChild(visit)
  }
  from.forEachChild(visit)
  return all
}

/**
 * The names that a place uses, without types and without what is a place itself: members of a class or of an object
 * are called by whoever calls them.
 * @param {Node} from
 * @returns {Node[]}
 */
function namesIn(from) {
  /** @type {Node[]} */
  const names = []
  const visit = (/** @type {Node} */ node) => {
    if (TYPES.has(node.kind)) return
    if (node.kind === K.Identifier) names.push(node)
    else if (node.kind === K.PropertyAssignment && !isFunctionMember(node))
      visit(/** @type {any} */ (node).initializer)
    else if (!MEMBERS.has(node.kind) || !isFunctionMember(node)) node.forEachChild(visit)
  }
  from.forEachChild(visit)
  return names
}

/** @param {Node} node */
function isFunctionMember(node) {
  if (node.parent.kind === K.ClassDeclaration) return true
  const value = /** @type {any} */ (node).initializer
  return value === undefined || FUNCTIONS.has(value.kind)
}
