import type { Gathering } from "./reading.ts";
import type { Field } from "./schema-fields.ts";

/** Adds a field that somebody fills in before the control `owner` is used. */
export function addField(field: Field, owner: string, gathering: Gathering): void {
  const id = `${gathering.short(owner)}/${field.path}`;
  if (gathering.leavesOut(id)) return;
  gathering.add({
    id,
    role: field.type,
    text: field.title || field.path,
    desc: field.desc,
    childText: field.options,
    resourceId: field.path,
    value: field.preset,
    clickable: true,
  });
}
