/** The rule files that people write: a folder, read as it is. What is served never comes from here, but from the store. */
export type GuideFiles = {
  /** Every rule file below the folder, by name. Nothing is left out silently: what cannot be read is listed with why. */
  read(): Promise<readonly GuideFile[]>;
  /** Names of files below the folder that are no rule files, but whose ending is one under which rules are kept elsewhere. */
  unread?(): Promise<readonly string[]>;
  /**
   * Another text whenever `read` may give something else than before. Asked before each run, so it is cheap; left out, everything
   * is read before each run.
   */
  version?(): Promise<string>;
};

export type GuideFile = {
  /** Below the folder, with `/`, such as `android/lock-screen.md`; WHOLE_FOLDER for what is wrong with all of it. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Why it could not be read, in one line; null where it was. */
  readonly failed: string | null;
};

/** The name under which a folder says that it could not be read, or not all of it. No file is called so. */
export const WHOLE_FOLDER = ".";
