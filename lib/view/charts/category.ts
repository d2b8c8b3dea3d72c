import { CATEGORIES, type Category } from '../../core/tokens/category'

/**
 * How each category looks: its name, its colour and its pattern, decided here once for every chart, table and legend.
 * The colour is a CSS variable so that the theme decides its value; the pattern is the second signal beside the colour.
 */
type CategoryFamily = 'fixed' | 'memory' | 'talk' | 'tools' | 'other' | 'residual'

/** Texture laid over the colour. `solid` is none; the others repeat every few pixels (see the pattern component). */
export type CategoryPattern = 'solid' | 'rising' | 'falling' | 'dots' | 'lines' | 'bars' | 'hatched'

export type CategoryView = {
  readonly category: Category
  readonly label: string
  readonly family: CategoryFamily
  /** CSS colour, e.g. `var(--cat-user)`. */
  readonly color: string
  readonly pattern: CategoryPattern
}

function view(
  category: Category,
  label: string,
  family: CategoryFamily,
  pattern: CategoryPattern,
): CategoryView {
  return { category, label, family, color: `var(--cat-${category})`, pattern }
}

export const CATEGORY_VIEWS: { readonly [C in Category]: CategoryView } = {
  'system-prompt': view('system-prompt', 'System prompt', 'fixed', 'solid'),
  'tool-schemas': view('tool-schemas', 'Tool schemas', 'fixed', 'rising'),
  skills: view('skills', 'Skills', 'fixed', 'dots'),
  'bootstrap-file': view('bootstrap-file', 'Bootstrap files', 'fixed', 'lines'),
  summary: view('summary', 'Summary', 'memory', 'solid'),
  recalled: view('recalled', 'Recalled context', 'memory', 'dots'),
  user: view('user', 'User', 'talk', 'solid'),
  assistant: view('assistant', 'Assistant', 'talk', 'falling'),
  thinking: view('thinking', 'Thinking', 'talk', 'dots'),
  'tool-call': view('tool-call', 'Tool calls', 'tools', 'bars'),
  'tool-result': view('tool-result', 'Tool results', 'tools', 'solid'),
  image: view('image', 'Images', 'other', 'rising'),
  other: view('other', 'Other', 'other', 'solid'),
  residual: view('residual', 'Residual', 'residual', 'hatched'),
}

/** All categories in stacking order, bottom first. */
export const CATEGORY_ORDER: readonly CategoryView[] = CATEGORIES.map((category) => CATEGORY_VIEWS[category])

/** Id of the SVG pattern that paints a category, as `<CategoryPatterns prefix>` defines it. */
export function patternId(prefix: string, category: Category): string {
  return `${prefix}-${category}`
}
