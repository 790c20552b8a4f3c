/** The selection with all defaults filled in. */

import type { State } from "./state";
import type { Report } from "./types";

const MOST_COLUMNS = 3;

/** Fill in defaults, and remove what the report does not have. */
export function settled(report: Report, state: State): State {
  const systems = report.systems.map((_, place) => place);
  const system = systems.includes(state.system) ? state.system : Math.max(systems.length - 1, 0);
  const others = systems.filter((each) => each !== system);
  const beside = others.includes(state.beside ?? -1) ? state.beside : (others[0] ?? null);
  const asked = state.columns.filter((each) => systems.includes(each));
  const few = systems.length <= MOST_COLUMNS ? systems : [system, ...(beside === null ? [] : [beside])];
  const columns = [...new Set([system, ...(asked.length ? asked : few)])].sort((a, b) => a - b);
  return { ...state, system, beside, columns };
}

/** Name the texts that a state needs, so that changes can be noticed. */
export function textsOf(report: Report, state: State): string {
  const { system, beside, columns, view, verdict } = settled(report, state);
  return [system, view === "all" ? columns.join() : "", verdict ? beside : ""].join(";");
}
