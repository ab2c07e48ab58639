/**
 * Guardrail 1: the turn budget. A counter, checked at the top of every turn before anything else; nothing that a model
 * says reaches it.
 */
export function turnBudgetSpent(turnsUsed: number, turnsMax: number): boolean {
  return turnsUsed >= turnsMax;
}
