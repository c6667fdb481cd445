// The witness's place can't be written, as where the disk that its link points to is not mounted: a sentence and 74,
// not a bug.
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, newProject } from './bot-process.ts';

afterEach(endProjects);

test('a witness that cannot be written keeps the bot from starting with 74 and a sentence', async () => {
  const project = await newProject();
  await project.exchange();
  mkdirSync(project.stateFolder, { recursive: true, mode: 0o700 });
  symlinkSync(
    path.join(project.folder, 'not-mounted/witness.json'),
    path.join(project.stateFolder, 'journal-witness.json'),
  );
  const { code, out, err } = await project.bot().ended;
  expect(out + err).not.toContain('Internal error');
  expect({ code, err }).toMatchObject({ code: 74, err: expect.stringContaining('journal-witness.json') });
});
