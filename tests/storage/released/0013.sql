BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0013');
CREATE TABLE alias (
	address VARCHAR NOT NULL, 
	player VARCHAR NOT NULL, 
	added_at BIGINT NOT NULL, 
	confirmed_at BIGINT, 
	PRIMARY KEY (address), 
	FOREIGN KEY(player) REFERENCES player (id)
);
CREATE TABLE answer (
	id INTEGER NOT NULL, 
	who VARCHAR NOT NULL, 
	answered_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE blob (
	sha256 VARCHAR NOT NULL, 
	size INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	data BLOB, packed VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (sha256)
);
INSERT INTO "blob" VALUES('1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415',43,1700000000000000,X'46726F6D3A20616E6E65406578616D706C652E6F72670D0A0D0A6D6F766520703120746F204A2D31300D0A','');
INSERT INTO "blob" VALUES('55d4624df1122751bde0c0b554570db2f619647602bd87ecd6e35e191e02c6e0',11,1700000000000000,X'3C68313E31413C2F68313E','');
CREATE TABLE event (
	campaign VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	turn INTEGER NOT NULL, 
	exchange INTEGER NOT NULL, 
	halt INTEGER NOT NULL, 
	actor VARCHAR NOT NULL, 
	recorded_at BIGINT NOT NULL, 
	schema INTEGER NOT NULL, 
	data TEXT NOT NULL, 
	prev_hash VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	PRIMARY KEY (campaign, seq)
);
INSERT INTO "event" VALUES('autumn',1,'campaign_opened',0,1,0,'office',1700000000000000,1,'{"kind":"campaign_opened","campaign":"autumn","system":"test","scenario":"field","title":"Herbst in der Lausitz, Kürassiere","roles":["french","prussian"],"scene":"5555555555555555555555555555555555555555555555555555555555555555","options":{"dice":"closed","fog":true,"hours":3}}','','2a99e28fbb0b146bf0ae9a7b0eb43a811abec24e68493d7cb7e5c8ac88c31bf9');
INSERT INTO "event" VALUES('autumn',2,'rules_pinned',0,1,0,'office',1700000000000000,1,'{"kind":"rules_pinned","system":"test","version":"1.0","content":"c"}','2a99e28fbb0b146bf0ae9a7b0eb43a811abec24e68493d7cb7e5c8ac88c31bf9','6df52ceebef431134a3a89ae792ff8896636a5a3d80d07d77ec2a9d25830564f');
INSERT INTO "event" VALUES('autumn',3,'player_enrolled',0,1,0,'office',1700000000000000,1,'{"kind":"player_enrolled","role":"french","player":"p-anne"}','6df52ceebef431134a3a89ae792ff8896636a5a3d80d07d77ec2a9d25830564f','72ad7945f0069ee18461ae9c1193422438ebe4a4e05bc39d3f68f2b10a597a54');
INSERT INTO "event" VALUES('autumn',4,'player_enrolled',0,1,0,'office',1700000000000000,1,'{"kind":"player_enrolled","role":"prussian","player":"p-bernd"}','72ad7945f0069ee18461ae9c1193422438ebe4a4e05bc39d3f68f2b10a597a54','df84cf6c8b55645f3769969f466705445f14e95bfe877de5f4c0f50e78165d66');
INSERT INTO "event" VALUES('autumn',5,'campaign_started',0,1,0,'office',1700000000000000,1,'{"kind":"campaign_started","promises":{"open":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925","closed":"72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793"}}','df84cf6c8b55645f3769969f466705445f14e95bfe877de5f4c0f50e78165d66','3ee9657864d9fab4d271f9236899be5dea4a6cc1520a0b671ea38ddb1a2c96ce');
INSERT INTO "event" VALUES('autumn',6,'test.rallied',0,1,0,'office',1700000000000000,1,'{"kind":"test.rallied","back":{"p1":3,"p2":0}}','3ee9657864d9fab4d271f9236899be5dea4a6cc1520a0b671ea38ddb1a2c96ce','ef9193ea93e6f39060ad3c7bac1a4683e20e1a7292bfab657cfd1ca428dbe565');
INSERT INTO "event" VALUES('autumn',7,'exchange_opened',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_opened","moment":{"turn":1,"exchange":1,"halt":0},"name":"A","due":[1700000000000100],"promises":{"open":"75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a","closed":"648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b"}}','ef9193ea93e6f39060ad3c7bac1a4683e20e1a7292bfab657cfd1ca428dbe565','44a1f280e0b9bd4b599a2cd549f885675992e14d0154dad7a5cce88a7f170388');
INSERT INTO "event" VALUES('autumn',8,'message_received',1,1,0,'office',1700000000000000,1,'{"kind":"message_received","digest":"1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415","source":"letter","player":"p-anne"}','44a1f280e0b9bd4b599a2cd549f885675992e14d0154dad7a5cce88a7f170388','fb549f521bc3c66f66b1d69e3af173db7f56f682b693a5fca8c0b6e64083fc49');
INSERT INTO "event" VALUES('autumn',9,'orders_accepted',1,1,0,'office',1700000000000000,1,'{"kind":"orders_accepted","role":"french","moment":{"turn":1,"exchange":1,"halt":0},"receipt":1,"text":"move p1 to J-10\ncharge","orders":[{"do":"move","piece":"p1"}],"told":[{"line":2,"judgement":"not understood","why":"no such word","rule":"SP-ORD-01"}],"digest":"0000000000000000000000000000000000000000000000000000000000000000","message":"1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415"}','fb549f521bc3c66f66b1d69e3af173db7f56f682b693a5fca8c0b6e64083fc49','a601259adee5eb0c8a057ffa63e7711df79d50fce0d6c96abb24866f585794b2');
INSERT INTO "event" VALUES('autumn',10,'orders_refused',1,1,0,'office',1700000000000000,1,'{"kind":"orders_refused","role":"prussian","moment":null,"receipt":1,"text":"?","reason":"not understood","digest":"1111111111111111111111111111111111111111111111111111111111111111"}','a601259adee5eb0c8a057ffa63e7711df79d50fce0d6c96abb24866f585794b2','0e9c887f9bd56ea9703b6aea2fd47ebbe82ba7976dc624634f38880d8b44b23f');
INSERT INTO "event" VALUES('autumn',11,'orders_kept',1,1,0,'office',1700000000000000,1,'{"kind":"orders_kept","role":"prussian","moment":{"turn":2,"exchange":1,"halt":0},"receipt":2,"text":"later","digest":"2222222222222222222222222222222222222222222222222222222222222222"}','0e9c887f9bd56ea9703b6aea2fd47ebbe82ba7976dc624634f38880d8b44b23f','e462108e193d79da6a4bd5eb6400230d055bad629379440b081a7fc305477583');
INSERT INTO "event" VALUES('autumn',12,'test.moved',1,1,0,'office',1700000000000000,1,'{"kind":"test.moved","phase":"movement","dice":[{"name":"1A/melee/J-10","seed":"closed","sides":6,"faces":[4,2]}],"known":{"french":"full"},"piece":"p1","path":["J-9","J-10"],"cost":2}','e462108e193d79da6a4bd5eb6400230d055bad629379440b081a7fc305477583','388575a3152c77fbd8f07675047c7aedd3922f04c2f673c95e8c95d40c9601e7');
INSERT INTO "event" VALUES('autumn',13,'exchange_resolved',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_resolved","moment":{"turn":1,"exchange":1,"halt":0},"version":"1.0","content":"c","facts":1,"state":"s","views":{"french":"v"}}','388575a3152c77fbd8f07675047c7aedd3922f04c2f673c95e8c95d40c9601e7','1879ee43990e618eaa06f629bd957e9cae2b63cd06f9286793d02afa060bd66d');
INSERT INTO "event" VALUES('autumn',14,'player_replaced',1,1,0,'office',1700000000000000,1,'{"kind":"player_replaced","role":"prussian","former":"p-bernd","player":"p-clara","reason":"ill"}','1879ee43990e618eaa06f629bd957e9cae2b63cd06f9286793d02afa060bd66d','1b3239b5e445028be6f1e0fd33c686720c485cc0ce11e742dd5fa2f215179eaf');
INSERT INTO "event" VALUES('autumn',15,'exchange_annulled',1,1,0,'office',1700000000000000,2,'{"kind":"exchange_annulled","moment":{"turn":1,"exchange":1,"halt":0},"since":12,"reason":"a wrong map"}','1b3239b5e445028be6f1e0fd33c686720c485cc0ce11e742dd5fa2f215179eaf','d2ccb6bdba72c771b119e433916df72a323586ca4b51739d57663a5926277583');
INSERT INTO "event" VALUES('autumn',16,'test.moved',1,1,0,'office',1700000000000000,1,'{"kind":"test.moved","phase":"movement","dice":[{"name":"1A/melee/J-10","seed":"closed","sides":6,"faces":[4,2]}],"known":{"french":"full"},"piece":"p1","path":["J-9","J-10"],"cost":2}','d2ccb6bdba72c771b119e433916df72a323586ca4b51739d57663a5926277583','f9e1bb8564689a679475d120b6204c76b16d77cceadf4a47f7d417cb9e693aed');
INSERT INTO "event" VALUES('autumn',17,'exchange_resolved',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_resolved","moment":{"turn":1,"exchange":1,"halt":0},"version":"1.0","content":"c","facts":1,"state":"s","views":{"french":"v"}}','f9e1bb8564689a679475d120b6204c76b16d77cceadf4a47f7d417cb9e693aed','88e13003410e52e7c544ea6ab25211ab30c3eb5163fbf2edfee0d18a288ba841');
INSERT INTO "event" VALUES('autumn',18,'exchange_released',1,1,0,'office',1700000000000000,1,'{"kind":"exchange_released","moment":{"turn":1,"exchange":1,"halt":0},"open_seed":"0202020202020202020202020202020202020202020202020202020202020202"}','88e13003410e52e7c544ea6ab25211ab30c3eb5163fbf2edfee0d18a288ba841','6b873c906940c3392e9ab8c03584c09d2be839631facd3f6af61524ee60a7d4c');
INSERT INTO "event" VALUES('autumn',19,'report_issued',1,1,0,'office',1700000000000000,1,'{"kind":"report_issued","role":"french","moment":{"turn":1,"exchange":1,"halt":0},"upto":17,"view":"v","page":"55d4624df1122751bde0c0b554570db2f619647602bd87ecd6e35e191e02c6e0"}','6b873c906940c3392e9ab8c03584c09d2be839631facd3f6af61524ee60a7d4c','0d8d42b84bab82d48128ff0321dfda659f7f93a5f9f54b66b79a0cb52ef7c49f');
CREATE TABLE heartbeat (
	id INTEGER NOT NULL, 
	seen_at BIGINT NOT NULL, 
	away_since BIGINT NOT NULL, 
	away_until BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE hook (
	id VARCHAR NOT NULL, 
	player VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	what VARCHAR NOT NULL, 
	made_at BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(player) REFERENCES player (id)
);
CREATE TABLE letter (
	id INTEGER NOT NULL, 
	digest VARCHAR NOT NULL, 
	received_at BIGINT NOT NULL, 
	source VARCHAR NOT NULL, 
	origin VARCHAR, 
	state VARCHAR NOT NULL, 
	reason VARCHAR NOT NULL, 
	campaign VARCHAR, 
	seq INTEGER, 
	player VARCHAR, 
	message_id VARCHAR, 
	tries INTEGER NOT NULL, content VARCHAR DEFAULT '' NOT NULL, recipients VARCHAR DEFAULT '' NOT NULL, grade VARCHAR DEFAULT '' NOT NULL, evidence VARCHAR DEFAULT '' NOT NULL, twin INTEGER, code VARCHAR, coded_at BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT letter_origin UNIQUE (source, origin), 
	FOREIGN KEY(digest) REFERENCES blob (sha256), 
	FOREIGN KEY(player) REFERENCES player (id)
);
INSERT INTO "letter" VALUES(1,'1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415',1700000000000000,'imap','INBOX/1/7','applied','','autumn',9,'p-anne','<1@example.org>',0,'','','','',NULL,NULL,NULL);
CREATE TABLE look (
	campaign VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	at BIGINT, 
	made_by VARCHAR NOT NULL, 
	PRIMARY KEY (campaign)
);
CREATE TABLE mark (
	name VARCHAR NOT NULL, 
	value VARCHAR NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE node (
	id VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	pid INTEGER NOT NULL, 
	does VARCHAR NOT NULL, 
	since BIGINT NOT NULL, 
	seen_at BIGINT NOT NULL, 
	version VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	templates VARCHAR NOT NULL, 
	scenarios VARCHAR NOT NULL, 
	systems VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE outbox (
	id VARCHAR NOT NULL, 
	campaign VARCHAR NOT NULL, 
	player VARCHAR, 
	kind VARCHAR NOT NULL, 
	cause VARCHAR NOT NULL, 
	message_id VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	digest VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	created_at BIGINT NOT NULL, 
	due_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	attempts INTEGER NOT NULL, 
	lease_until BIGINT, 
	leased_by VARCHAR, 
	answer VARCHAR NOT NULL, 
	sent_at BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT outbox_cause UNIQUE (campaign, cause), 
	CONSTRAINT outbox_message_id UNIQUE (message_id), 
	FOREIGN KEY(player) REFERENCES player (id), 
	FOREIGN KEY(digest) REFERENCES blob (sha256)
);
INSERT INTO "outbox" VALUES('m-1','autumn','p-anne','report','report/1A/french/1','<autumn.1A.m-1@example.org>','[Autumn] 1A report','55d4624df1122751bde0c0b554570db2f619647602bd87ecd6e35e191e02c6e0','queued',1700000000000000,1700000000000000,1700432000000000,0,NULL,NULL,'',NULL);
CREATE TABLE owed (
	id INTEGER NOT NULL, 
	campaign VARCHAR NOT NULL, 
	cause VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	owed_at BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	fault VARCHAR NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT owed_cause UNIQUE (campaign, cause)
);
CREATE TABLE pace (
	domain VARCHAR NOT NULL, 
	full_at BIGINT NOT NULL, 
	PRIMARY KEY (domain)
);
CREATE TABLE player (
	id VARCHAR NOT NULL, 
	name VARCHAR, 
	address VARCHAR, 
	zone VARCHAR NOT NULL, 
	created_at BIGINT NOT NULL, 
	erased_at BIGINT, epoch INTEGER DEFAULT '1' NOT NULL, stopped_at BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT player_address UNIQUE (address)
);
INSERT INTO "player" VALUES('p-anne','Anne','anne@example.org','Europe/Berlin',1700000000000000,NULL,1,NULL);
INSERT INTO "player" VALUES('p-bernd','Bernd','bernd@example.org','Europe/Berlin',1700000000000001,NULL,1,NULL);
INSERT INTO "player" VALUES('p-clara','Clara','clara@example.org','Europe/Berlin',1700000000000002,NULL,1,NULL);
CREATE TABLE seal (
	place VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	digest BLOB NOT NULL, 
	PRIMARY KEY (place, "key")
)
 WITHOUT ROWID

;
INSERT INTO "seal" VALUES('blob','1b7f15cf7ddecdc1d4d81048782148e2f94f13cd23559d17737a1951e36ed415',X'A8B4DA602DC7D8DB95D343EC723AA9ACF66A2F84A4E2F42E9E20E8C8A59D92C5');
INSERT INTO "seal" VALUES('blob','55d4624df1122751bde0c0b554570db2f619647602bd87ecd6e35e191e02c6e0',X'26B9D19C37124FACB18A65F2EB78515BBF6B3720FBA68676DF5C7862F68104E4');
INSERT INTO "seal" VALUES('letter','1',X'623AA1CF02A63781D78BF3A99E3F24016E50287031EDE82E1138FDAB39F9A15D');
INSERT INTO "seal" VALUES('outbox','m-1',X'A62905B1359EC56B4E758BC72B532C60C21756A24A7E33E0D531E5751DB214FE');
INSERT INTO "seal" VALUES('player','p-anne',X'B9E96C9DF67BCA0CC766318BBB73B72CA9CFFE436E7FBDE44EDD712BB6C219FF');
INSERT INTO "seal" VALUES('player','p-bernd',X'1D47E708F129282184EF1C2D2F46F7CF36FA536437CE0480F7463BF986E1A6EB');
INSERT INTO "seal" VALUES('player','p-clara',X'94788AEEBD124C0F076F764F7857DE3C01A90BDAFE1DDE8B8A2E5ABA3F6C5D90');
INSERT INTO "seal" VALUES('secret','autumn/66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925',X'FDD92911074F79E6A5D090A8C0365596334BC9E7858746D60D874E4CB816ABF2');
INSERT INTO "seal" VALUES('secret','autumn/75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a',X'7A4ADE94687751C631C5528E5CFE0E25104C34FF24704D2CB920A687D0A71F11');
CREATE TABLE secret (
	campaign VARCHAR NOT NULL, 
	open_promise VARCHAR NOT NULL, 
	closed_promise VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	open_seed BLOB NOT NULL, 
	closed_seed BLOB NOT NULL, 
	made_at BIGINT NOT NULL, 
	PRIMARY KEY (campaign, open_promise)
);
INSERT INTO "secret" VALUES('autumn','66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925','72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793','muster',X'0000000000000000000000000000000000000000000000000000000000000000',X'0101010101010101010101010101010101010101010101010101010101010101',1700000000000000);
INSERT INTO "secret" VALUES('autumn','75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a','648aa5c579fb30f38af744d97d6ec840c7a91277a499a0d780f3e7314eca090b','1A',X'0202020202020202020202020202020202020202020202020202020202020202',X'0303030303030303030303030303030303030303030303030303030303030303',1700000000000000);
CREATE TABLE session (
	id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	made_at BIGINT NOT NULL, 
	seen_at BIGINT NOT NULL, 
	player VARCHAR, 
	gm VARCHAR NOT NULL, 
	scope VARCHAR NOT NULL, 
	ends_at BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(player) REFERENCES player (id)
);
CREATE TABLE setback (
	mail VARCHAR NOT NULL, 
	player VARCHAR, 
	at BIGINT NOT NULL, 
	status VARCHAR NOT NULL, 
	words VARCHAR NOT NULL, 
	PRIMARY KEY (mail), 
	FOREIGN KEY(mail) REFERENCES outbox (id), 
	FOREIGN KEY(player) REFERENCES player (id)
);
CREATE TABLE sign_in (
	id VARCHAR NOT NULL, 
	asked_at BIGINT NOT NULL, 
	ends_at BIGINT NOT NULL, 
	player VARCHAR, 
	gm VARCHAR NOT NULL, 
	code VARCHAR NOT NULL, 
	browser VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	sender VARCHAR NOT NULL, 
	used_at BIGINT, 
	tries INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(player) REFERENCES player (id)
);
CREATE TABLE snapshot (
	campaign VARCHAR NOT NULL, 
	fold VARCHAR NOT NULL, 
	seq INTEGER NOT NULL, 
	system VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (campaign, fold, seq)
);
CREATE INDEX letter_digest ON letter (digest);
CREATE INDEX letter_state ON letter (state);
CREATE INDEX outbox_due ON outbox (state, due_at);
CREATE INDEX letter_message_id ON letter (message_id);
CREATE INDEX answer_who ON answer (who, answered_at);
CREATE INDEX setback_player ON setback (player, at);
CREATE INDEX event_own ON event (campaign, seq) WHERE kind NOT LIKE '%.%';
CREATE INDEX alias_player ON alias (player);
CREATE INDEX session_player ON session (player);
CREATE INDEX sign_in_browser ON sign_in (browser);
CREATE INDEX sign_in_address ON sign_in (address, asked_at);
CREATE INDEX sign_in_sender ON sign_in (sender, asked_at);
CREATE INDEX hook_player ON hook (player);
CREATE INDEX event_players ON event (campaign, seq) WHERE kind IN ('player_enrolled', 'player_replaced', 'player_withdrew');
CREATE TRIGGER event_follows BEFORE INSERT ON event
WHEN CASE NEW.seq
  WHEN 1 THEN NEW.prev_hash <> '' OR EXISTS (SELECT 1 FROM event WHERE campaign = NEW.campaign)
  ELSE (NEW.seq - 1, NEW.prev_hash) IS NOT
    (SELECT seq, hash FROM event WHERE campaign = NEW.campaign ORDER BY seq DESC LIMIT 1) END
BEGIN SELECT RAISE(ABORT, 'an event must follow the last one of its campaign'); END;
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
CREATE TRIGGER alias_sealed_at_insert AFTER INSERT ON alias
BEGIN INSERT INTO seal (place, key, digest) VALUES ('alias', CAST(NEW.address AS TEXT), pbem_digest(typeof(NEW.address), CAST(NEW.address AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.added_at), CAST(NEW.added_at AS BLOB), typeof(NEW.confirmed_at), CAST(NEW.confirmed_at AS BLOB))); END;
CREATE TRIGGER alias_sealed_at_update AFTER UPDATE ON alias
BEGIN UPDATE seal SET key = CAST(NEW.address AS TEXT), digest = pbem_digest(typeof(NEW.address), CAST(NEW.address AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.added_at), CAST(NEW.added_at AS BLOB), typeof(NEW.confirmed_at), CAST(NEW.confirmed_at AS BLOB)) WHERE place = 'alias' AND key = CAST(OLD.address AS TEXT) AND digest = pbem_digest(typeof(OLD.address), CAST(OLD.address AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.added_at), CAST(OLD.added_at AS BLOB), typeof(OLD.confirmed_at), CAST(OLD.confirmed_at AS BLOB)); END;
CREATE TRIGGER alias_sealed_at_delete AFTER DELETE ON alias
BEGIN DELETE FROM seal WHERE place = 'alias' AND key = CAST(OLD.address AS TEXT) AND digest = pbem_digest(typeof(OLD.address), CAST(OLD.address AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.added_at), CAST(OLD.added_at AS BLOB), typeof(OLD.confirmed_at), CAST(OLD.confirmed_at AS BLOB)); END;
CREATE TRIGGER blob_sealed_at_insert AFTER INSERT ON blob
BEGIN INSERT INTO seal (place, key, digest) VALUES ('blob', CAST(NEW.sha256 AS TEXT), pbem_digest(typeof(NEW.sha256), CAST(NEW.sha256 AS BLOB), typeof(NEW.size), CAST(NEW.size AS BLOB), typeof(NEW.created_at), CAST(NEW.created_at AS BLOB), NEW.data IS NULL, typeof(NEW.packed), CAST(NEW.packed AS BLOB))); END;
CREATE TRIGGER blob_sealed_at_update AFTER UPDATE ON blob
BEGIN UPDATE seal SET key = CAST(NEW.sha256 AS TEXT), digest = pbem_digest(typeof(NEW.sha256), CAST(NEW.sha256 AS BLOB), typeof(NEW.size), CAST(NEW.size AS BLOB), typeof(NEW.created_at), CAST(NEW.created_at AS BLOB), NEW.data IS NULL, typeof(NEW.packed), CAST(NEW.packed AS BLOB)) WHERE place = 'blob' AND key = CAST(OLD.sha256 AS TEXT) AND digest = pbem_digest(typeof(OLD.sha256), CAST(OLD.sha256 AS BLOB), typeof(OLD.size), CAST(OLD.size AS BLOB), typeof(OLD.created_at), CAST(OLD.created_at AS BLOB), OLD.data IS NULL, typeof(OLD.packed), CAST(OLD.packed AS BLOB)); END;
CREATE TRIGGER blob_sealed_at_delete AFTER DELETE ON blob
BEGIN DELETE FROM seal WHERE place = 'blob' AND key = CAST(OLD.sha256 AS TEXT) AND digest = pbem_digest(typeof(OLD.sha256), CAST(OLD.sha256 AS BLOB), typeof(OLD.size), CAST(OLD.size AS BLOB), typeof(OLD.created_at), CAST(OLD.created_at AS BLOB), OLD.data IS NULL, typeof(OLD.packed), CAST(OLD.packed AS BLOB)); END;
CREATE TRIGGER letter_sealed_at_insert AFTER INSERT ON letter
BEGIN INSERT INTO seal (place, key, digest) VALUES ('letter', CAST(NEW.id AS TEXT), pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.received_at), CAST(NEW.received_at AS BLOB), typeof(NEW.source), CAST(NEW.source AS BLOB), typeof(NEW.origin), CAST(NEW.origin AS BLOB), typeof(NEW.state), CAST(NEW.state AS BLOB), typeof(NEW.reason), CAST(NEW.reason AS BLOB), typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.seq), CAST(NEW.seq AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.message_id), CAST(NEW.message_id AS BLOB), typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.content), CAST(NEW.content AS BLOB), typeof(NEW.recipients), CAST(NEW.recipients AS BLOB), typeof(NEW.grade), CAST(NEW.grade AS BLOB), typeof(NEW.evidence), CAST(NEW.evidence AS BLOB), typeof(NEW.twin), CAST(NEW.twin AS BLOB), typeof(NEW.code), CAST(NEW.code AS BLOB), typeof(NEW.coded_at), CAST(NEW.coded_at AS BLOB))); END;
CREATE TRIGGER letter_sealed_at_update AFTER UPDATE ON letter
BEGIN UPDATE seal SET key = CAST(NEW.id AS TEXT), digest = pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.received_at), CAST(NEW.received_at AS BLOB), typeof(NEW.source), CAST(NEW.source AS BLOB), typeof(NEW.origin), CAST(NEW.origin AS BLOB), typeof(NEW.state), CAST(NEW.state AS BLOB), typeof(NEW.reason), CAST(NEW.reason AS BLOB), typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.seq), CAST(NEW.seq AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.message_id), CAST(NEW.message_id AS BLOB), typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.content), CAST(NEW.content AS BLOB), typeof(NEW.recipients), CAST(NEW.recipients AS BLOB), typeof(NEW.grade), CAST(NEW.grade AS BLOB), typeof(NEW.evidence), CAST(NEW.evidence AS BLOB), typeof(NEW.twin), CAST(NEW.twin AS BLOB), typeof(NEW.code), CAST(NEW.code AS BLOB), typeof(NEW.coded_at), CAST(NEW.coded_at AS BLOB)) WHERE place = 'letter' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.digest), CAST(OLD.digest AS BLOB), typeof(OLD.received_at), CAST(OLD.received_at AS BLOB), typeof(OLD.source), CAST(OLD.source AS BLOB), typeof(OLD.origin), CAST(OLD.origin AS BLOB), typeof(OLD.state), CAST(OLD.state AS BLOB), typeof(OLD.reason), CAST(OLD.reason AS BLOB), typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.seq), CAST(OLD.seq AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.message_id), CAST(OLD.message_id AS BLOB), typeof(OLD.tries), CAST(OLD.tries AS BLOB), typeof(OLD.content), CAST(OLD.content AS BLOB), typeof(OLD.recipients), CAST(OLD.recipients AS BLOB), typeof(OLD.grade), CAST(OLD.grade AS BLOB), typeof(OLD.evidence), CAST(OLD.evidence AS BLOB), typeof(OLD.twin), CAST(OLD.twin AS BLOB), typeof(OLD.code), CAST(OLD.code AS BLOB), typeof(OLD.coded_at), CAST(OLD.coded_at AS BLOB)); END;
CREATE TRIGGER letter_sealed_at_delete AFTER DELETE ON letter
BEGIN DELETE FROM seal WHERE place = 'letter' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.digest), CAST(OLD.digest AS BLOB), typeof(OLD.received_at), CAST(OLD.received_at AS BLOB), typeof(OLD.source), CAST(OLD.source AS BLOB), typeof(OLD.origin), CAST(OLD.origin AS BLOB), typeof(OLD.state), CAST(OLD.state AS BLOB), typeof(OLD.reason), CAST(OLD.reason AS BLOB), typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.seq), CAST(OLD.seq AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.message_id), CAST(OLD.message_id AS BLOB), typeof(OLD.tries), CAST(OLD.tries AS BLOB), typeof(OLD.content), CAST(OLD.content AS BLOB), typeof(OLD.recipients), CAST(OLD.recipients AS BLOB), typeof(OLD.grade), CAST(OLD.grade AS BLOB), typeof(OLD.evidence), CAST(OLD.evidence AS BLOB), typeof(OLD.twin), CAST(OLD.twin AS BLOB), typeof(OLD.code), CAST(OLD.code AS BLOB), typeof(OLD.coded_at), CAST(OLD.coded_at AS BLOB)); END;
CREATE TRIGGER look_sealed_at_insert AFTER INSERT ON look
BEGIN INSERT INTO seal (place, key, digest) VALUES ('look', CAST(NEW.campaign AS TEXT), pbem_digest(typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.seq), CAST(NEW.seq AS BLOB), typeof(NEW.at), CAST(NEW.at AS BLOB), typeof(NEW.made_by), CAST(NEW.made_by AS BLOB))); END;
CREATE TRIGGER look_sealed_at_update AFTER UPDATE ON look
BEGIN UPDATE seal SET key = CAST(NEW.campaign AS TEXT), digest = pbem_digest(typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.seq), CAST(NEW.seq AS BLOB), typeof(NEW.at), CAST(NEW.at AS BLOB), typeof(NEW.made_by), CAST(NEW.made_by AS BLOB)) WHERE place = 'look' AND key = CAST(OLD.campaign AS TEXT) AND digest = pbem_digest(typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.seq), CAST(OLD.seq AS BLOB), typeof(OLD.at), CAST(OLD.at AS BLOB), typeof(OLD.made_by), CAST(OLD.made_by AS BLOB)); END;
CREATE TRIGGER look_sealed_at_delete AFTER DELETE ON look
BEGIN DELETE FROM seal WHERE place = 'look' AND key = CAST(OLD.campaign AS TEXT) AND digest = pbem_digest(typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.seq), CAST(OLD.seq AS BLOB), typeof(OLD.at), CAST(OLD.at AS BLOB), typeof(OLD.made_by), CAST(OLD.made_by AS BLOB)); END;
CREATE TRIGGER mark_sealed_at_insert AFTER INSERT ON mark
BEGIN INSERT INTO seal (place, key, digest) VALUES ('mark', CAST(NEW.name AS TEXT), pbem_digest(typeof(NEW.name), CAST(NEW.name AS BLOB), typeof(NEW.value), CAST(NEW.value AS BLOB))); END;
CREATE TRIGGER mark_sealed_at_update AFTER UPDATE ON mark
BEGIN UPDATE seal SET key = CAST(NEW.name AS TEXT), digest = pbem_digest(typeof(NEW.name), CAST(NEW.name AS BLOB), typeof(NEW.value), CAST(NEW.value AS BLOB)) WHERE place = 'mark' AND key = CAST(OLD.name AS TEXT) AND digest = pbem_digest(typeof(OLD.name), CAST(OLD.name AS BLOB), typeof(OLD.value), CAST(OLD.value AS BLOB)); END;
CREATE TRIGGER mark_sealed_at_delete AFTER DELETE ON mark
BEGIN DELETE FROM seal WHERE place = 'mark' AND key = CAST(OLD.name AS TEXT) AND digest = pbem_digest(typeof(OLD.name), CAST(OLD.name AS BLOB), typeof(OLD.value), CAST(OLD.value AS BLOB)); END;
CREATE TRIGGER outbox_sealed_at_insert AFTER INSERT ON outbox
BEGIN INSERT INTO seal (place, key, digest) VALUES ('outbox', CAST(NEW.id AS TEXT), pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.kind), CAST(NEW.kind AS BLOB), typeof(NEW.cause), CAST(NEW.cause AS BLOB), typeof(NEW.message_id), CAST(NEW.message_id AS BLOB), typeof(NEW.subject), CAST(NEW.subject AS BLOB), typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.state), CAST(NEW.state AS BLOB), typeof(NEW.created_at), CAST(NEW.created_at AS BLOB), typeof(NEW.due_at), CAST(NEW.due_at AS BLOB), typeof(NEW.expires_at), CAST(NEW.expires_at AS BLOB), typeof(NEW.attempts), CAST(NEW.attempts AS BLOB), typeof(NEW.lease_until), CAST(NEW.lease_until AS BLOB), typeof(NEW.leased_by), CAST(NEW.leased_by AS BLOB), typeof(NEW.answer), CAST(NEW.answer AS BLOB), typeof(NEW.sent_at), CAST(NEW.sent_at AS BLOB))); END;
CREATE TRIGGER outbox_sealed_at_update AFTER UPDATE ON outbox
BEGIN UPDATE seal SET key = CAST(NEW.id AS TEXT), digest = pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.kind), CAST(NEW.kind AS BLOB), typeof(NEW.cause), CAST(NEW.cause AS BLOB), typeof(NEW.message_id), CAST(NEW.message_id AS BLOB), typeof(NEW.subject), CAST(NEW.subject AS BLOB), typeof(NEW.digest), CAST(NEW.digest AS BLOB), typeof(NEW.state), CAST(NEW.state AS BLOB), typeof(NEW.created_at), CAST(NEW.created_at AS BLOB), typeof(NEW.due_at), CAST(NEW.due_at AS BLOB), typeof(NEW.expires_at), CAST(NEW.expires_at AS BLOB), typeof(NEW.attempts), CAST(NEW.attempts AS BLOB), typeof(NEW.lease_until), CAST(NEW.lease_until AS BLOB), typeof(NEW.leased_by), CAST(NEW.leased_by AS BLOB), typeof(NEW.answer), CAST(NEW.answer AS BLOB), typeof(NEW.sent_at), CAST(NEW.sent_at AS BLOB)) WHERE place = 'outbox' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.kind), CAST(OLD.kind AS BLOB), typeof(OLD.cause), CAST(OLD.cause AS BLOB), typeof(OLD.message_id), CAST(OLD.message_id AS BLOB), typeof(OLD.subject), CAST(OLD.subject AS BLOB), typeof(OLD.digest), CAST(OLD.digest AS BLOB), typeof(OLD.state), CAST(OLD.state AS BLOB), typeof(OLD.created_at), CAST(OLD.created_at AS BLOB), typeof(OLD.due_at), CAST(OLD.due_at AS BLOB), typeof(OLD.expires_at), CAST(OLD.expires_at AS BLOB), typeof(OLD.attempts), CAST(OLD.attempts AS BLOB), typeof(OLD.lease_until), CAST(OLD.lease_until AS BLOB), typeof(OLD.leased_by), CAST(OLD.leased_by AS BLOB), typeof(OLD.answer), CAST(OLD.answer AS BLOB), typeof(OLD.sent_at), CAST(OLD.sent_at AS BLOB)); END;
CREATE TRIGGER outbox_sealed_at_delete AFTER DELETE ON outbox
BEGIN DELETE FROM seal WHERE place = 'outbox' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.kind), CAST(OLD.kind AS BLOB), typeof(OLD.cause), CAST(OLD.cause AS BLOB), typeof(OLD.message_id), CAST(OLD.message_id AS BLOB), typeof(OLD.subject), CAST(OLD.subject AS BLOB), typeof(OLD.digest), CAST(OLD.digest AS BLOB), typeof(OLD.state), CAST(OLD.state AS BLOB), typeof(OLD.created_at), CAST(OLD.created_at AS BLOB), typeof(OLD.due_at), CAST(OLD.due_at AS BLOB), typeof(OLD.expires_at), CAST(OLD.expires_at AS BLOB), typeof(OLD.attempts), CAST(OLD.attempts AS BLOB), typeof(OLD.lease_until), CAST(OLD.lease_until AS BLOB), typeof(OLD.leased_by), CAST(OLD.leased_by AS BLOB), typeof(OLD.answer), CAST(OLD.answer AS BLOB), typeof(OLD.sent_at), CAST(OLD.sent_at AS BLOB)); END;
CREATE TRIGGER owed_sealed_at_insert AFTER INSERT ON owed
BEGIN INSERT INTO seal (place, key, digest) VALUES ('owed', CAST(NEW.id AS TEXT), pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.cause), CAST(NEW.cause AS BLOB), typeof(NEW.data), CAST(NEW.data AS BLOB), typeof(NEW.owed_at), CAST(NEW.owed_at AS BLOB), typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.fault), CAST(NEW.fault AS BLOB))); END;
CREATE TRIGGER owed_sealed_at_update AFTER UPDATE ON owed
BEGIN UPDATE seal SET key = CAST(NEW.id AS TEXT), digest = pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.cause), CAST(NEW.cause AS BLOB), typeof(NEW.data), CAST(NEW.data AS BLOB), typeof(NEW.owed_at), CAST(NEW.owed_at AS BLOB), typeof(NEW.tries), CAST(NEW.tries AS BLOB), typeof(NEW.fault), CAST(NEW.fault AS BLOB)) WHERE place = 'owed' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.cause), CAST(OLD.cause AS BLOB), typeof(OLD.data), CAST(OLD.data AS BLOB), typeof(OLD.owed_at), CAST(OLD.owed_at AS BLOB), typeof(OLD.tries), CAST(OLD.tries AS BLOB), typeof(OLD.fault), CAST(OLD.fault AS BLOB)); END;
CREATE TRIGGER owed_sealed_at_delete AFTER DELETE ON owed
BEGIN DELETE FROM seal WHERE place = 'owed' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.cause), CAST(OLD.cause AS BLOB), typeof(OLD.data), CAST(OLD.data AS BLOB), typeof(OLD.owed_at), CAST(OLD.owed_at AS BLOB), typeof(OLD.tries), CAST(OLD.tries AS BLOB), typeof(OLD.fault), CAST(OLD.fault AS BLOB)); END;
CREATE TRIGGER player_sealed_at_insert AFTER INSERT ON player
BEGIN INSERT INTO seal (place, key, digest) VALUES ('player', CAST(NEW.id AS TEXT), pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.name), CAST(NEW.name AS BLOB), typeof(NEW.address), CAST(NEW.address AS BLOB), typeof(NEW.zone), CAST(NEW.zone AS BLOB), typeof(NEW.created_at), CAST(NEW.created_at AS BLOB), typeof(NEW.erased_at), CAST(NEW.erased_at AS BLOB), typeof(NEW.epoch), CAST(NEW.epoch AS BLOB), typeof(NEW.stopped_at), CAST(NEW.stopped_at AS BLOB))); END;
CREATE TRIGGER player_sealed_at_update AFTER UPDATE ON player
BEGIN UPDATE seal SET key = CAST(NEW.id AS TEXT), digest = pbem_digest(typeof(NEW.id), CAST(NEW.id AS BLOB), typeof(NEW.name), CAST(NEW.name AS BLOB), typeof(NEW.address), CAST(NEW.address AS BLOB), typeof(NEW.zone), CAST(NEW.zone AS BLOB), typeof(NEW.created_at), CAST(NEW.created_at AS BLOB), typeof(NEW.erased_at), CAST(NEW.erased_at AS BLOB), typeof(NEW.epoch), CAST(NEW.epoch AS BLOB), typeof(NEW.stopped_at), CAST(NEW.stopped_at AS BLOB)) WHERE place = 'player' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.name), CAST(OLD.name AS BLOB), typeof(OLD.address), CAST(OLD.address AS BLOB), typeof(OLD.zone), CAST(OLD.zone AS BLOB), typeof(OLD.created_at), CAST(OLD.created_at AS BLOB), typeof(OLD.erased_at), CAST(OLD.erased_at AS BLOB), typeof(OLD.epoch), CAST(OLD.epoch AS BLOB), typeof(OLD.stopped_at), CAST(OLD.stopped_at AS BLOB)); END;
CREATE TRIGGER player_sealed_at_delete AFTER DELETE ON player
BEGIN DELETE FROM seal WHERE place = 'player' AND key = CAST(OLD.id AS TEXT) AND digest = pbem_digest(typeof(OLD.id), CAST(OLD.id AS BLOB), typeof(OLD.name), CAST(OLD.name AS BLOB), typeof(OLD.address), CAST(OLD.address AS BLOB), typeof(OLD.zone), CAST(OLD.zone AS BLOB), typeof(OLD.created_at), CAST(OLD.created_at AS BLOB), typeof(OLD.erased_at), CAST(OLD.erased_at AS BLOB), typeof(OLD.epoch), CAST(OLD.epoch AS BLOB), typeof(OLD.stopped_at), CAST(OLD.stopped_at AS BLOB)); END;
CREATE TRIGGER secret_sealed_at_insert AFTER INSERT ON secret
BEGIN INSERT INTO seal (place, key, digest) VALUES ('secret', CAST(NEW.campaign AS TEXT) || '/' || CAST(NEW.open_promise AS TEXT), pbem_digest(typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.open_promise), CAST(NEW.open_promise AS BLOB), typeof(NEW.closed_promise), CAST(NEW.closed_promise AS BLOB), typeof(NEW.place), CAST(NEW.place AS BLOB), typeof(NEW.open_seed), CAST(NEW.open_seed AS BLOB), typeof(NEW.closed_seed), CAST(NEW.closed_seed AS BLOB), typeof(NEW.made_at), CAST(NEW.made_at AS BLOB))); END;
CREATE TRIGGER secret_sealed_at_update AFTER UPDATE ON secret
BEGIN UPDATE seal SET key = CAST(NEW.campaign AS TEXT) || '/' || CAST(NEW.open_promise AS TEXT), digest = pbem_digest(typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.open_promise), CAST(NEW.open_promise AS BLOB), typeof(NEW.closed_promise), CAST(NEW.closed_promise AS BLOB), typeof(NEW.place), CAST(NEW.place AS BLOB), typeof(NEW.open_seed), CAST(NEW.open_seed AS BLOB), typeof(NEW.closed_seed), CAST(NEW.closed_seed AS BLOB), typeof(NEW.made_at), CAST(NEW.made_at AS BLOB)) WHERE place = 'secret' AND key = CAST(OLD.campaign AS TEXT) || '/' || CAST(OLD.open_promise AS TEXT) AND digest = pbem_digest(typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.open_promise), CAST(OLD.open_promise AS BLOB), typeof(OLD.closed_promise), CAST(OLD.closed_promise AS BLOB), typeof(OLD.place), CAST(OLD.place AS BLOB), typeof(OLD.open_seed), CAST(OLD.open_seed AS BLOB), typeof(OLD.closed_seed), CAST(OLD.closed_seed AS BLOB), typeof(OLD.made_at), CAST(OLD.made_at AS BLOB)); END;
CREATE TRIGGER secret_sealed_at_delete AFTER DELETE ON secret
BEGIN DELETE FROM seal WHERE place = 'secret' AND key = CAST(OLD.campaign AS TEXT) || '/' || CAST(OLD.open_promise AS TEXT) AND digest = pbem_digest(typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.open_promise), CAST(OLD.open_promise AS BLOB), typeof(OLD.closed_promise), CAST(OLD.closed_promise AS BLOB), typeof(OLD.place), CAST(OLD.place AS BLOB), typeof(OLD.open_seed), CAST(OLD.open_seed AS BLOB), typeof(OLD.closed_seed), CAST(OLD.closed_seed AS BLOB), typeof(OLD.made_at), CAST(OLD.made_at AS BLOB)); END;
CREATE TRIGGER setback_sealed_at_insert AFTER INSERT ON setback
BEGIN INSERT INTO seal (place, key, digest) VALUES ('setback', CAST(NEW.mail AS TEXT), pbem_digest(typeof(NEW.mail), CAST(NEW.mail AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.at), CAST(NEW.at AS BLOB), typeof(NEW.status), CAST(NEW.status AS BLOB), typeof(NEW.words), CAST(NEW.words AS BLOB))); END;
CREATE TRIGGER setback_sealed_at_update AFTER UPDATE ON setback
BEGIN UPDATE seal SET key = CAST(NEW.mail AS TEXT), digest = pbem_digest(typeof(NEW.mail), CAST(NEW.mail AS BLOB), typeof(NEW.player), CAST(NEW.player AS BLOB), typeof(NEW.at), CAST(NEW.at AS BLOB), typeof(NEW.status), CAST(NEW.status AS BLOB), typeof(NEW.words), CAST(NEW.words AS BLOB)) WHERE place = 'setback' AND key = CAST(OLD.mail AS TEXT) AND digest = pbem_digest(typeof(OLD.mail), CAST(OLD.mail AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.at), CAST(OLD.at AS BLOB), typeof(OLD.status), CAST(OLD.status AS BLOB), typeof(OLD.words), CAST(OLD.words AS BLOB)); END;
CREATE TRIGGER setback_sealed_at_delete AFTER DELETE ON setback
BEGIN DELETE FROM seal WHERE place = 'setback' AND key = CAST(OLD.mail AS TEXT) AND digest = pbem_digest(typeof(OLD.mail), CAST(OLD.mail AS BLOB), typeof(OLD.player), CAST(OLD.player AS BLOB), typeof(OLD.at), CAST(OLD.at AS BLOB), typeof(OLD.status), CAST(OLD.status AS BLOB), typeof(OLD.words), CAST(OLD.words AS BLOB)); END;
CREATE TRIGGER snapshot_sealed_at_insert AFTER INSERT ON snapshot
BEGIN INSERT INTO seal (place, key, digest) VALUES ('snapshot', CAST(NEW.campaign AS TEXT) || '/' || CAST(NEW.fold AS TEXT) || '/' || CAST(NEW.seq AS TEXT), pbem_digest(typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.fold), CAST(NEW.fold AS BLOB), typeof(NEW.seq), CAST(NEW.seq AS BLOB), typeof(NEW.system), CAST(NEW.system AS BLOB), typeof(NEW.data), CAST(NEW.data AS BLOB))); END;
CREATE TRIGGER snapshot_sealed_at_update AFTER UPDATE ON snapshot
BEGIN UPDATE seal SET key = CAST(NEW.campaign AS TEXT) || '/' || CAST(NEW.fold AS TEXT) || '/' || CAST(NEW.seq AS TEXT), digest = pbem_digest(typeof(NEW.campaign), CAST(NEW.campaign AS BLOB), typeof(NEW.fold), CAST(NEW.fold AS BLOB), typeof(NEW.seq), CAST(NEW.seq AS BLOB), typeof(NEW.system), CAST(NEW.system AS BLOB), typeof(NEW.data), CAST(NEW.data AS BLOB)) WHERE place = 'snapshot' AND key = CAST(OLD.campaign AS TEXT) || '/' || CAST(OLD.fold AS TEXT) || '/' || CAST(OLD.seq AS TEXT) AND digest = pbem_digest(typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.fold), CAST(OLD.fold AS BLOB), typeof(OLD.seq), CAST(OLD.seq AS BLOB), typeof(OLD.system), CAST(OLD.system AS BLOB), typeof(OLD.data), CAST(OLD.data AS BLOB)); END;
CREATE TRIGGER snapshot_sealed_at_delete AFTER DELETE ON snapshot
BEGIN DELETE FROM seal WHERE place = 'snapshot' AND key = CAST(OLD.campaign AS TEXT) || '/' || CAST(OLD.fold AS TEXT) || '/' || CAST(OLD.seq AS TEXT) AND digest = pbem_digest(typeof(OLD.campaign), CAST(OLD.campaign AS BLOB), typeof(OLD.fold), CAST(OLD.fold AS BLOB), typeof(OLD.seq), CAST(OLD.seq AS BLOB), typeof(OLD.system), CAST(OLD.system AS BLOB), typeof(OLD.data), CAST(OLD.data AS BLOB)); END;
COMMIT;
