// One's own name, password, second factors and sessions.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client';
import type { Theme } from './account.generated';
import { useHouse } from '../shell/house';
import { themes } from '../shell/theme';
import { useTitle } from '../shell/title';
import { useAct } from '../ui/act';
import { Age, Moment, Tag } from '../ui/facts';
import { Form, Problem, SelectField, TextField } from '../ui/Form';
import { Refused, Waiting } from '../ui/State';
import { useWords } from '../words/words';
import { useRefreshedHouse } from '../shell/refresh';
import {
  ChangePasswordDocument, EndOtherSessionsDocument, EndSessionDocument, MySessionsDocument, UpdateMyProfileDocument,
} from './account.generated';
import { Factors } from './Factors';

export function Account() {
  const { say } = useWords();
  useTitle(say('account.title'));
  return (
    <>
      <h1>{say('account.title')}</h1>
      <div className="panels even">
        <Profile />
        <Password />
        <Factors />
        <Sessions />
      </div>
    </>
  );
}

function Profile() {
  const { say, zone } = useWords();
  const { member, label } = useHouse();
  const refresh = useRefreshedHouse();
  const [name, setName] = useState(member.profile?.name ?? '');
  const [language, setLanguage] = useState(member.profile?.language ?? '');
  const [theme, setTheme] = useState<string>(member.profile?.theme ?? 'SYSTEM');
  const save = useAct(UpdateMyProfileDocument, { said: say('account.saved'), done: refresh });
  return (
    <section className="panel" aria-labelledby="profile">
      <h2 id="profile">{say('account.profile')}</h2>
      <p className="muted">{member.email} · {label('Role', member.role)}</p>
      <Form act={save} go={say('account.save')} submit={() => void save.act({ input: { name, language, theme: theme as Theme } })}>
        <TextField name="name" label={say('account.name')} value={name} onChange={setName} max={64} complete="name" />
        <SelectField name="language" label={say('account.language')} value={language} onChange={setLanguage} none={say('account.languageOfBrowser')}
          options={[{ id: 'tr', name: 'Türkçe' }, { id: 'en', name: 'English' }]} />
        <SelectField name="theme" label={say('app.theme')} value={theme} onChange={setTheme}
          options={themes.map((t) => ({ id: t.toUpperCase(), name: say(`app.theme.${t}`) }))} hint={say('account.deviceFirst')} />
      </Form>
      <p className="muted zone">{say('list.zone', { zone })}</p>
    </section>
  );
}

function Password() {
  const { say } = useWords();
  const [password, setPassword] = useState('');
  const change = useAct(ChangePasswordDocument, { said: say('account.passwordChanged'), done: () => setPassword('') });
  return (
    <section className="panel" aria-labelledby="password">
      <h2 id="password">{say('account.password')}</h2>
      <Form act={change} go={say('account.changePassword')} submit={() => void change.act({ input: { password } })}>
        <TextField name="password" type="password" label={say('account.newPassword')} value={password} onChange={setPassword} max={1024}
          complete="new-password" hint={say('account.passwordHint')} isRequired />
      </Form>
    </section>
  );
}

function Sessions() {
  const { say } = useWords();
  const found = useQuery({
    queryKey: ['mySessions'], queryFn: ({ signal }) => ask(MySessionsDocument, {}, signal), select: (data) => data.mySessions ?? [],
  });
  const end = useAct(EndSessionDocument, { said: say('account.sessionEnded') });
  const endOthers = useAct(EndOtherSessionsDocument, { said: say('account.othersEnded') });
  return (
    <section className="panel" aria-labelledby="sessions">
      <h2 id="sessions">{say('account.sessions')}</h2>
      {found.isPending && <Waiting />}
      {found.error && <Refused error={found.error} retry={() => void found.refetch()} />}
      <ul className="rows">
        {found.data?.map((s) => (
          <li key={s.id}>
            <div>
              <p><b>{s.userAgent || say('account.unknownBrowser')}</b></p>
              <p className="muted">{s.address} · <Moment at={s.createdAt} /> · {say('account.lastSeen')} <Age at={s.lastSeenAt} /></p>
            </div>
            {s.isCurrent ? <Tag tone="good">{say('account.thisSession')}</Tag> : (
              <button type="button" className="button" aria-disabled={end.isBusy} onClick={() => void end.act({ input: { id: s.id } })}>
                {say('account.endSession')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Problem of={end} />
      <Problem of={endOthers} />
      {(found.data?.length ?? 0) > 1 && (
        <button type="button" className="button" aria-disabled={endOthers.isBusy} onClick={() => void endOthers.act({})}>
          {say('account.endOthers')}
        </button>
      )}
    </section>
  );
}
