import {
  Activity,
  ArrowDown,
  ArrowUp,
  Bookmark,
  ChartColumn,
  Check,
  CircleQuestionMark,
  Database,
  Download,
  Ellipsis,
  FlaskConical,
  List,
  ListVideo,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Redo2,
  ScrollText,
  Search,
  SlidersHorizontal,
  Snowflake,
  Stethoscope,
  Sun,
  TriangleAlert,
  Undo2,
  X,
} from 'lucide-react'

/**
 * The icon for each thing. All are decoration, hidden from screen readers: a word is beside each. They are drawn on
 * a grid of 24, so that 2.25 of it are lines of 1.5 px.
 */
function glyph(Icon: LucideIcon) {
  return function Glyph() {
    return <Icon size={16} strokeWidth={2.25} className="shrink-0" />
  }
}

export const MoreGlyph = glyph(Ellipsis)
export const AlertGlyph = glyph(TriangleAlert)
export const FindingsGlyph = glyph(Stethoscope)
export const CheckGlyph = glyph(Check)
export const CrossGlyph = glyph(X)
export const SearchGlyph = glyph(Search)
export const SunGlyph = glyph(Sun)
export const MoonGlyph = glyph(Moon)
export const SystemGlyph = glyph(Monitor)
export const SignOutGlyph = glyph(LogOut)
export const DownloadGlyph = glyph(Download)
export const UndoGlyph = glyph(Undo2)
export const RedoGlyph = glyph(Redo2)

// Places of the navigation.
export const OverviewGlyph = glyph(ChartColumn)
export const SessionsGlyph = glyph(List)
export const StoresGlyph = glyph(Database)
export const PoliciesGlyph = glyph(SlidersHorizontal)
export const ActivityGlyph = glyph(Activity)
export const ColdGlyph = glyph(Snowflake)
export const LabGlyph = glyph(FlaskConical)
export const MemoryGlyph = glyph(Bookmark)
export const JobsGlyph = glyph(ListVideo)
export const AuditGlyph = glyph(ScrollText)
export const HelpGlyph = glyph(CircleQuestionMark)

const AscendingGlyph = glyph(ArrowUp)
const DescendingGlyph = glyph(ArrowDown)

export function SortGlyph({ direction }: { direction: 'asc' | 'desc' }) {
  return direction === 'asc' ? <AscendingGlyph /> : <DescendingGlyph />
}
