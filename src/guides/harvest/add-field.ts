import type { Gathering } from "./reading.ts";
import type { Field } from "./schema-fields.ts";

/** What a field is for: an operation, a tool. */
export type FieldOwner = {
  readonly id: string;
  /** Its place among the controls. */
  readonly at: number;
};

/** Adds a field that somebody fills in before the control `owner` is used. */
export function addField(field: Field, owner: FieldOwner, gathering: Gathering): void {
  const id = `${gathering.short(owner.id)}/${field.path}`;
  if (gathering.leavesOut(id)) return;
  const { type: role, path, title, desc, options: childText, preset: value } = field;
  const text = title || path;
  gathering.add({ id, role, text, desc, childText, resourceId: path, value, clickable: true }, owner.at);
}
